# SPDX-License-Identifier: Apache-2.0

"""The file of a reviewed plan: the plan, and the request that it is for.

Values of hidden parameters are not in the file. The server has given digests
of them.
"""

import contextlib
import json
import os
import stat
import tempfile

from heatclient.common import environment_format

from heat_extras.plan import reviewed_request
from heat_extras import sanitize

_FORMATS = 'heat-extras plan '
FORMAT = f'{_FORMATS}2'

_PARAMETERS, _DEFAULTS = reviewed_request.SECTIONS
_ENVIRONMENT, _ENVIRONMENT_FILES = 'environment', 'environment_files'
_FILES, _CONVERGE = 'files', reviewed_request.CONVERGE
_DISABLE_ROLLBACK = reviewed_request.DISABLE_ROLLBACK

SOURCE, HIDDEN = 'plan_source', 'plan_hidden'

_STANDARD_OUTPUT = 1

# The keys of each part of a plan file that a request needs.
_PARTS = {'stack': {'name', 'id'},
          'source': {'hidden_parameters', reviewed_request.SEAL},
          'request': {_PARAMETERS},
          'plan': {*reviewed_request.ENTRY_FIELDS},
          'plan_stops': {'type', 'message', 'certainty'}}
_LISTS = 'plan', 'plan_stops'


class PlanFileError(Exception):
    """A plan that cannot be written or read, with a text for the user."""


def make(stack, request, changes):
    """Make the content of a plan file.

    :param stack: a dict with ``id``, None for a new stack, and ``stack_name``.
    :param request: the arguments of heatclient's StackManager.update, or of
        StackManager.create.
    :param changes: the fields of a preview.
    :returns: a dict.
    :raises PlanFileError: if the file would have a hidden value.
    """
    # As heatclient sends the request: with texts instead of bytes.
    request = json.loads(json.dumps(request, default=bytes.decode))
    # The digest is computed again from the plan in the file.
    source = {key: value for key, value in changes[SOURCE].items()
              if key != reviewed_request.DIGEST}
    hidden = set(source['hidden_parameters'])
    return {
        'format': FORMAT,
        'stack': {'id': stack['id'], 'name': stack['stack_name']},
        'source': source,
        'request': _without_hidden(request, hidden, {
            each['name']: _describe_secret(each['name'], each['template'])
            for each in changes[HIDDEN]}),
        'plan': changes['plan'], 'plan_stops': changes['plan_stops']}


def _describe_secret(name, template):
    """Describe a parameter whose default would be in the file."""
    if template is None:
        return (f'"{name}", a hidden parameter of the current template. '
                f'Remove "{name}" from "{_DEFAULTS}"')
    return (f'"{name}", a hidden parameter that template {template} also '
            f'has. Make "{name}" a hidden parameter of the root template, and '
            f'pass it as a property to the resource with template {template}. '
            'Give its value with --parameter, and remove it from '
            f'"{_DEFAULTS}"')


def _without_hidden(request, hidden, secrets):
    """Return a request without the values of hidden parameters."""
    def check(environment):
        hidden_names = sorted(
            secrets.keys() & set(environment.get(_DEFAULTS) or ()))
        if hidden_names:
            raise PlanFileError(
                'The plan cannot be written, because its file would contain a '
                f'hidden value: "{_DEFAULTS}" of the environment has a value '
                f'of {secrets[hidden_names[0]]}.')
        return environment

    files = dict(request.get(_FILES) or {})
    paths = request.get(_ENVIRONMENT_FILES) or ()
    for path in paths:
        files[path] = reviewed_request.without_hidden_in_file(
            files[path], hidden,
            lambda text: check(environment_format.parse(text)))
    saved = {key: value for key, value in request.items()
             if key not in ('stack_id', 'show_nested', _ENVIRONMENT)}
    # Heat ignores the environment if there are environment files.
    if not paths:
        saved[_ENVIRONMENT] = reviewed_request.without_hidden(
            check(request.get(_ENVIRONMENT) or {}), hidden)
    return {**saved, _FILES: files, **reviewed_request.without_hidden(
        {_PARAMETERS: request.get(_PARAMETERS) or {}}, hidden)}


def write(path, document):
    """Write a plan file that only its owner can read.

    :raises PlanFileError: if it cannot be written. An existing file stays as
        it is.
    """
    try:
        if os.path.exists(path) and not _is_replaceable(path):
            raise PlanFileError(
                f'The plan {path} cannot be written: expected the path of a '
                'new file, of an empty file, or of another plan.')
        _write_and_rename(os.path.realpath(path), document)
    except OSError as error:
        raise PlanFileError(f'The plan {path} cannot be written: '
                            f'{error.strerror}.') from None


def _is_replaceable(path):
    found = os.stat(path)
    # The output of the command can also be redirected to a regular file.
    with contextlib.suppress(OSError):
        if os.path.samestat(found, os.fstat(_STANDARD_OUTPUT)):
            return False
    return stat.S_ISREG(found.st_mode) and (
        not found.st_size or _is_plan(path))


def _is_plan(path):
    # Another file could be the template of the update.
    with contextlib.suppress(PlanFileError):
        return bool(_load(path))
    return False


def _write_and_rename(path, document):
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path),
                                         prefix='.plan-')
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
    document = _load(path)
    if document['format'] != FORMAT:
        raise PlanFileError(
            f'The plan {path} has the format '
            f'"{sanitize.printable(document["format"])}": expected '
            f'"{FORMAT}". Make a new plan.')
    missing = sorted(set(_PARTS) - set(document))
    if missing:
        raise PlanFileError(f'The plan {path} is not complete: expected also '
                            f'{", ".join(missing)}. Make a new plan.')
    for part, keys in _PARTS.items():
        content = document[part]
        if part == 'request':
            keys = {*keys, _flag_of(document)}
        is_list = part in _LISTS and isinstance(content, list)
        for each in content if is_list else [content]:
            if not isinstance(each, dict) or not keys <= set(each):
                raise PlanFileError(
                    f'The plan {path} is not valid: "{part}" must have the '
                    f'keys {", ".join(sorted(keys))}. Make a new plan.')
    try:
        request = make_request(document, {})
        # A reviewer would read it, but Heat would ignore it.
        if request.get(_ENVIRONMENT_FILES) and _ENVIRONMENT in request:
            raise ValueError
        # Errors of Heat contain the name, and heatclient prints it as it is.
        if not document['stack']['name'].isprintable():
            raise ValueError
    except (AttributeError, KeyError, TypeError, ValueError):
        raise PlanFileError(f'The plan {path} is not valid: a part has '
                            'another form than "openstack stack plan --out" '
                            'writes. Make a new plan.') from None
    return document


def _unique(pairs):
    # A reviewer would read one of the values, and Heat would get another.
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError
    return made


def _load(path):
    """Read a plan file of any format."""
    try:
        with open(path) as source:
            document = json.load(source, object_pairs_hook=_unique)
    except OSError as error:
        raise PlanFileError(f'The plan {path} cannot be read: '
                            f'{error.strerror}.') from None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not str(
            document.get('format')).startswith(_FORMATS):
        raise PlanFileError(
            f'{path} is not a plan: expected a file that "openstack stack '
            f'plan --out" has written, with the format "{FORMAT}".')
    return document


def check_stack(document, name_or_id):
    """Check that a plan is for a stack.

    :raises PlanFileError: if it is for another stack.
    """
    stack = document['stack']
    if name_or_id not in (stack['name'], stack['id'],
                          f'{stack["name"]}/{stack["id"]}'):
        expected = sanitize.printable(f'{stack["name"]} ({stack["id"]})')
        raise PlanFileError(f'The plan is for stack {expected}, not for stack '
                            f'{name_or_id}. Give the stack of the plan, or '
                            'make a new plan.')


def is_creation(document):
    """Return whether a plan is of a new stack."""
    return document['stack']['id'] is None


def _flag_of(document):
    return _DISABLE_ROLLBACK if is_creation(document) else _CONVERGE


def make_request(document, parameters):
    """Return the arguments of StackManager.update or create for a plan.

    :param parameters: the values of hidden parameters.
    :raises PlanFileError: for a parameter that is not hidden.
    """
    source, request = document['source'], document['request']
    others = sorted(set(parameters) - set(source['hidden_parameters']))
    if others:
        raise PlanFileError(
            f'Parameter "{others[0]}" cannot be given with a plan, because it '
            'is not a hidden parameter. Leave it out, or make a new plan with '
            'its value.')
    stack = document['stack']
    identity = ({'stack_name': stack['name']} if is_creation(document) else
                {'stack_id': f'{stack["name"]}/{stack["id"]}'})
    return add_plan({
        **request, **identity,
        _PARAMETERS: {**request[_PARAMETERS], **parameters}},
        source, document['plan'], document['plan_stops'], _flag_of(document))


def add_plan(request, source, plan, stops, flag=_CONVERGE):
    """Return the arguments of an update or creation with its reviewed plan.

    :param request: the arguments of StackManager.update or create.
    :param source: the field ``plan_source`` of the preview.
    :param plan: the list ``plan`` of the preview.
    :param stops: the list ``plan_stops`` of the preview.
    :param flag: the argument that an engine without plans must reject.
    """
    value = str(request.get(flag, False)).lower()
    return {
        **request, flag: value + reviewed_request.ONLY_WITH_PLAN,
        reviewed_request.FIELD: reviewed_request.make(source, plan, stops)}
