# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""What a rules file may contain: a JSON schema."""

_NAMES = {'type': 'array', 'minItems': 1, 'uniqueItems': True,
          'items': {'type': 'string', 'minLength': 1}}
_NAME = {'type': 'string', 'minLength': 1}


def _object(required, **properties):
    return {'type': 'object', 'additionalProperties': False,
            'required': required, 'properties': properties}


# Each rule has one of these.
KINDS = {
    'limit': _object(['types', 'max', 'per'], types=_NAMES,
                     max={'type': 'integer', 'minimum': 0},
                     per={'enum': ['tree', 'project']}),
    'forbid': _NAMES,
    'require': _NAMES,
    'property': _object(['types', 'name'], types=_NAMES, name=_NAME,
                        any_of={'type': 'array', 'minItems': 1},
                        contains_any_of={'type': 'array', 'minItems': 1},
                        pattern=_NAME, optional={'type': 'boolean'}),
    'same': _object(['type', 'as', 'name'], type=_NAME, name=_NAME,
                    through=_NAMES, **{'as': _NAME}),
    'tags': _NAMES,
}

RULE = _object(
    ['name'], name=_NAME, message=_NAME, mode={'enum': ['deny', 'warn']},
    projects=_NAMES, domains=_NAMES, **KINDS)

SCHEMA = _object(['rules'], rules={'type': 'array', 'items': RULE})
