# SPDX-License-Identifier: Apache-2.0

"""What a rules file may contain: a JSON schema.

Pure: nothing of Heat is imported.
"""

_NAMES = {'type': 'array', 'minItems': 1, 'uniqueItems': True,
          'items': {'type': 'string', 'minLength': 1}}
_NAME = {'type': 'string', 'minLength': 1}


def _object(required: list[str], **properties: dict) -> dict:
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
