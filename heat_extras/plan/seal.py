# SPDX-License-Identifier: Apache-2.0

"""The seal of a plan, by which an engine recognizes what an engine has made.

The seal has keyed digests of the request, the plan, the files of the template
and the source of the plan. Each digest contains the ID of the stack (for a
creation, its name) and the salt of the plan, so that a part of another plan
does not match. The digest of the source also contains the other digests.

Heat itself can read files that are not in the request, for example from a
container or a URL. They are only known when Heat has prepared the update.

A plan file has no values of hidden parameters. The request that is sent with
the file matches the digest of the previewed request without these values. They
are compared by their own digests.
"""

from heat.common import environment_format
from heat.rpc import api as rpc_api
from oslo_serialization import jsonutils
from oslo_utils import encodeutils

from heat_extras.heat_internals import current_update
from heat_extras.plan import reviewed_request

REQUEST, PLAN, SOURCE = PARTS = 'request', 'plan', 'source'

_ENVIRONMENT, _FILES, _ARGUMENTS = 'params', 'files', 'args'
_RECEIVED = ('template', _ENVIRONMENT, _FILES, _ARGUMENTS, 'environment_files',
             'files_container')
_READ = 'read'

#: The reason if :func:`has_same_files` is false.
OTHER_FILE = ('a file that Heat reads for the template, for example from a '
              'URL, differs from the file at the time of the plan.')

_SEPARATOR, _DIGESTS = '-', 5


def copy_request(arguments):
    """Copy an update, a creation or a preview, before Heat changes it.

    :param arguments: the arguments of the RPC method.
    """
    received = jsonutils.loads(jsonutils.dumps(
        {name: arguments.get(name) for name in _RECEIVED}))
    fields = received[_ARGUMENTS]
    for name in reviewed_request.FIELD, rpc_api.PARAM_SHOW_NESTED:
        fields.pop(name, None)
    for name, default in ((reviewed_request.CONVERGE, False),
                          (reviewed_request.DISABLE_ROLLBACK, None)):
        fields[name] = reviewed_request.without_suffix(
            fields.get(name, default))
    return received


def make(stack, received, planned, files):
    """Return the seal of a new plan.

    :param stack: the current heat.engine.stack.Stack, or the new stack, whose
        ID is None.
    :param received: the request, as from :func:`copy_request`.
    :param planned: the :class:`reviewed_request.Request` without a seal.
    :param files: the files of the new template.
    """
    digests = [_digest(stack, planned, REQUEST, request) for request in (
        _without_given(received, planned), _as_saved(received, planned))]
    digests.append(_digest_plan(stack, planned))
    digests.append(_digest_files(stack, received, planned, files))
    digests.append(_digest_source(stack, planned, digests))
    return _SEPARATOR.join(digests)


def find_edit(stack, received, planned):
    """Return why a plan is not what the engine has made, or None.

    The parameters are those of :func:`make`, with a seal.
    """
    edited = list_differences(stack, received, planned)
    if not edited:
        return None
    if edited == [*PARTS]:
        return ('it was made for another stack or project, or with another '
                'auth_encryption_key of the engines, or it was edited.')
    parts = ' and '.join(f'"{part}"' for part in edited)
    return f'it was edited after Heat made it, in {parts}.'


def list_differences(stack, received, planned):
    """List the parts of a plan that differ from what the engine has made.

    The parameters are those of :func:`make`, with a seal. The files are
    checked later, see :func:`has_same_files`.
    """
    digests = planned.seal.split(_SEPARATOR)
    if len(digests) != _DIGESTS:
        return list(PARTS)
    *made, source = digests
    *requests, plan, _ = made
    request = _digest(stack, planned, REQUEST,
                      _without_given(received, planned))
    is_same = (request in requests, plan == _digest_plan(stack, planned),
               source == _digest_source(stack, planned, made))
    return [part for part, same in zip(PARTS, is_same, strict=True)
            if not same]


def has_same_files(stack, received, planned, files):
    """Return whether Heat has read the same files as for the plan.

    The parameters are those of :func:`make`, with a seal.
    """
    *_, made, _ = planned.seal.split(_SEPARATOR)
    return made == _digest_files(stack, received, planned, files)


def _without_given(received, planned):
    """Leave out the values that can be given with a plan file."""
    return {**received, _ENVIRONMENT: reviewed_request.without_hidden(
        received[_ENVIRONMENT], planned.hidden,
        (reviewed_request.PARAMETERS,))}


def _as_saved(received, planned):
    """Leave out all values that a plan file must not contain."""
    return {**received,
            _FILES: _save_files(received[_FILES] or {}, received, planned),
            _ENVIRONMENT: reviewed_request.without_hidden(
                received[_ENVIRONMENT], planned.hidden)}


def _save_files(files, received, planned):
    saved = dict(files)
    for path in received['environment_files'] or ():
        if path in saved:
            saved[path] = reviewed_request.without_hidden_in_file(
                saved[path], planned.hidden, environment_format.parse)
    return saved


def _digest_files(stack, received, planned, files):
    return _digest(stack, planned, _READ,
                   _save_files(decode_files(files), received, planned))


def decode_files(files):
    """Return the files of a template as texts, by path.

    Files that Heat itself has read from a URL are of bytes.
    """
    return {path: encodeutils.safe_decode(text)
            for path, text in files.items()}


def _digest_plan(stack, planned):
    return _digest(stack, planned, PLAN,
                   [planned.list_changes(), planned.digest])


def _digest_source(stack, planned, digests):
    return _digest(stack, planned, SOURCE,
                   [planned.revision, planned.hidden, digests])


def _digest(stack, planned, part, content):
    # As a text, 1 differs from 1.0. A dict differs from the list in the digest
    # of a hidden value, whose name and value a user chooses.
    return current_update.compute_digest({part: [
        planned.salt, stack.id or [stack.name], stack.tenant_id,
        jsonutils.dumps(content, sort_keys=True)]})
