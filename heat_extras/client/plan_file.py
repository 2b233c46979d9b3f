# SPDX-License-Identifier: Apache-2.0

"""The file of a reviewed plan: the plan, and the request that it is for.

Values of hidden parameters are not in the file. The server has given digests
of them.
"""

import collections.abc
import contextlib
import json
import os
import tempfile

from heatclient.common import environment_format
from heatclient.common import template_format

FORMAT = 'heat-extras plan 1'

_PARAMETERS, _DEFAULTS = 'parameters', 'parameter_defaults'
_ENVIRONMENT, _ENVIRONMENT_FILES = 'environment', 'environment_files'
_FILES, _TEMPLATE = 'files', 'template'

# From the key of the parameters of a template to the key that hides one.
_HIDES = {'parameters': 'hidden', 'Parameters': 'NoEcho'}

SOURCE = 'plan_source'

_CHANGE_FIELDS = ('path', 'action', 'certainty')


class PlanFileError(Exception):
    """A plan that cannot be written or read, with a text for the user."""


def make(stack, request, changes, existing_files=()):
    """Make the content of a plan file.

    :param stack: a dict with ``id`` and ``stack_name``.
    :param request: the arguments of heatclient's StackManager.update.
    :param changes: the lists and ``plan_source`` of a preview.
    :param existing_files: templates that the stack already has, as texts.
    :returns: a dict.
    :raises PlanFileError: if the file would have a hidden value.
    """
    source = changes[SOURCE]
    hidden = set(source['hidden_parameters'])
    files = {**dict(existing_files), **(request.get(_FILES) or {})}
    nested = {name: path for path, text in files.items()
              for name in _list_hidden(_load(text)) - hidden}
    return {
        'format': FORMAT,
        'stack': {'id': stack['id'], 'name': stack['stack_name']},
        'source': source,
        'request': _without_hidden(request, hidden, nested),
        'plan': changes['plan'], 'plan_stops': changes['plan_stops']}


def _without_hidden(request, hidden, nested):
    """Return a request without the values of hidden parameters."""
    def clean(environment):
        if not isinstance(environment, collections.abc.Mapping):
            return environment
        found = sorted(nested.keys() & set(environment.get(_DEFAULTS) or ()))
        if found:
            raise PlanFileError(
                f'The plan cannot be written: {_DEFAULTS} of the environment '
                f'has a value of {found[0]}, a hidden parameter of '
                f'{nested[found[0]]}. Make {found[0]} a hidden parameter of '
                'the root template.')
        return {key: {name: each for name, each in value.items()
                      if name not in hidden}
                if key in (_PARAMETERS, _DEFAULTS) and value else value
                for key, value in environment.items()}

    files = dict(request.get(_FILES) or {})
    for path in request.get(_ENVIRONMENT_FILES) or ():
        files[path] = json.dumps(clean(_load(files[path])))
    request = {key: value for key, value in request.items()
               if key not in ('stack_id', 'show_nested')}
    return {**request, _FILES: files,
            _ENVIRONMENT: clean(request.get(_ENVIRONMENT)),
            _PARAMETERS: {
                name: value for name, value
                in (request.get(_PARAMETERS) or {}).items()
                if name not in hidden}}


def _list_hidden(template):
    """Return the names of the hidden parameters of a parsed template."""
    if not isinstance(template, dict):
        return set()
    return {name for section, key in _HIDES.items()
            if isinstance(template.get(section), dict)
            for name, schema in template[section].items()
            if isinstance(schema, dict)
            and str(schema.get(key)).lower() in ('true', '1', 'yes', 'on')}


def _load(text):
    """Parse a template or an environment; return None for other files."""
    for parse in (template_format.parse, environment_format.parse):
        with contextlib.suppress(Exception):
            return parse(text)
    return None


def write(path, document):
    """Write a plan file that only its owner can read.

    :raises OSError: if it cannot be written. An existing file stays as it is.
    """
    directory = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(dir=directory, prefix='.plan-')
    try:
        with os.fdopen(handle, 'w') as target:
            json.dump(document, target, indent=1, sort_keys=True)
            target.write('\n')
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def read(path):
    """Read a plan file.

    :returns: a dict as from :func:`make`.
    :raises PlanFileError: if it is not a plan file.
    """
    try:
        with open(path) as source:
            document = json.load(source)
    except (OSError, ValueError) as error:
        raise PlanFileError(f'The plan {path} cannot be read: '
                            f'{error}.') from None
    if not isinstance(document, dict) or document.get('format') != FORMAT:
        raise PlanFileError(
            f'{path} is not a plan: expected a file that "openstack stack '
            f'plan --out" has written, with the format "{FORMAT}".')
    missing = sorted({'stack', 'source', 'request', 'plan'} - set(document))
    if missing:
        raise PlanFileError(f'The plan {path} is not complete: it has no '
                            f'{", ".join(missing)}.')
    return document


def check_stack(document, name_or_id):
    """Check that a plan is for a stack.

    :raises PlanFileError: if it is for another stack.
    """
    stack = document['stack']
    if name_or_id not in (stack['name'], stack['id'],
                          f'{stack["name"]}/{stack["id"]}'):
        raise PlanFileError(f'The plan is for stack {stack["name"]} '
                            f'({stack["id"]}), not for {name_or_id}.')


def update_request(document, parameters):
    """Return the arguments of StackManager.update for a plan.

    :param parameters: the values of hidden parameters.
    :raises PlanFileError: for a parameter that is not hidden.
    """
    source, request = document['source'], document['request']
    others = sorted(set(parameters) - set(source['hidden_parameters']))
    if others:
        raise PlanFileError(
            f'Parameter {others[0]} cannot be given with a plan: only values '
            'of hidden parameters are not in the plan.')
    stack = document['stack']
    return {
        **request, 'stack_id': f'{stack["name"]}/{stack["id"]}',
        _PARAMETERS: {**request[_PARAMETERS], **parameters},
        'plan': {**source, 'changes': [
            {key: entry[key] for key in _CHANGE_FIELDS}
            for entry in document['plan']
            if (entry['action'], entry['certainty'])
            != ('unchanged', 'will')]}}
