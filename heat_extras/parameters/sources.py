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


"""Whether a value in a template is known before an update starts.

It is when it comes from literals and parameters alone. What comes from a
resource is what the update itself may change. Pure; a template in either
format, as it was written.
"""

import typing

_OF_RESOURCES = frozenset({
    'get_attr', 'get_resource', 'resource_facade', 'Fn::GetAtt',
    'Fn::ResourceFacade'})
_OF_CONDITIONS = frozenset({'if', 'Fn::If'})


def is_known(snippet: typing.Any, resources: typing.Container[str],
             unknown: frozenset[str] = frozenset()) -> bool:
    """Tell whether everything that makes up a value is known.

    :param resources: names of the resources in the template.
    :param unknown: parameters of the template whose values are not known.
    """
    if isinstance(snippet, list):
        return all(is_known(item, resources, unknown) for item in snippet)
    if not isinstance(snippet, dict):
        return True
    if len(snippet) == 1:
        (name, argument), = snippet.items()
        if not _is_function_known(name, argument, resources, unknown):
            return False
    return all(is_known(value, resources, unknown)
               for value in snippet.values())


def _is_function_known(name, argument, resources, unknown):
    if name in _OF_RESOURCES:
        return False
    if name in _OF_CONDITIONS:
        # A condition can hang on any parameter.
        return not unknown
    if name == 'Ref':
        return not _holds(resources, argument) and not _holds(
            unknown, argument)
    if name == 'get_param':
        first = argument[0] if isinstance(argument, list) and argument else (
            argument)
        return not _holds(unknown, first)
    return True


def _holds(names, name):
    # A name that is itself computed could be any of them.
    return name in names if isinstance(name, str) else bool(names)
