# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage paste``: the filter in Heat's own paste file."""

import contextlib
import os
import shutil
import tempfile

from heat_extras.cmd import configuration
from heat_extras import paste_file


def paste(conf, engine=None):
    """Show or change whether Heat's paste file has the filter.

    Restart Heat's API services after a change.
    """
    path = conf.command.file or configuration.find_paste(conf)
    if not path:
        raise configuration.CommandError(
            "Found no %s, wanted the paste file of Heat's API services. "
            'Name it with --file.' % conf.paste_deploy.api_paste_config)
    conf.command.change(path, configuration.read_paste(path),
                        configuration.paste_flavor(conf))


def add_arguments(parser):
    """Add the options of the command to its parser."""
    parser.add_argument(
        '--file', metavar='PATH',
        help='The paste file; by default the one that heat.conf names.')
    change = parser.add_mutually_exclusive_group()
    for option, function, summary in (
            ('--check', _check, 'Fail if a pipeline of the flavor in use '
                                'lacks the filter (default).'),
            ('--write', _write, 'Put the filter into every pipeline.'),
            ('--remove', _remove, 'Take out again what --write put in.')):
        change.add_argument(option, dest='change', action='store_const',
                            const=function, default=_check, help=summary)


def _check(path, text, flavor):
    state = paste_file.inspect(text, flavor)
    if state.wraps:
        print("%s wraps Heat's own paste file." % path)
    elif state.is_complete:
        print('%s has the filter in %s.' % (path, ', '.join(state.guarded)))
    else:
        raise configuration.CommandError(
            'Found no filter of heat-extras in %s of %s. Run '
            'heat-extras-manage paste --write, or set [paste_deploy] '
            'api_paste_config to the paste file of heat-extras.'
            % (', '.join(state.unguarded) or 'any pipeline', path))


def _write(path, text, flavor):
    changed = paste_file.add(text)
    if not paste_file.inspect(changed).is_complete:
        raise configuration.CommandError(
            'Found no pipeline of Heat in %s, nothing was changed. Name '
            "Heat's own api-paste.ini with --file." % path)
    _store(path, text, changed)


def _remove(path, text, flavor):
    changed = paste_file.remove(text)
    state = paste_file.inspect(changed)
    if state.wraps or state.guarded:
        raise configuration.CommandError(
            'Found heat-extras in %s, but not as --write puts it there; '
            'nothing was changed. Take it out by hand.' % path)
    _store(path, text, changed)


def _store(path, text, changed):
    if changed == text:
        print('%s is as it should be, nothing was changed.' % path)
        return
    _replace(os.path.realpath(path), changed)
    print("%s is changed. Restart Heat's API services." % path)


def _replace(path, text):
    # In one step: a service that starts meanwhile must not read half of it.
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(tempfile.NamedTemporaryFile(
            'w', dir=os.path.dirname(path), delete=False, newline='',
            encoding='utf-8'))
        stack.callback(_forget, target.name)
        target.write(text)
        target.flush()
        shutil.copystat(path, target.name)
        old = os.stat(path)
        os.chown(target.name, old.st_uid, old.st_gid)
        os.replace(target.name, path)


def _forget(path):
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
