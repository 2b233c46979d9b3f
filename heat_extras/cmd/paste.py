# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage paste``: whether API services load heat-extras."""

import pathlib

from heat_extras.cmd import cli_config
from heat_extras import paste_ini

# The pipeline that heat.api:pipeline_factory takes without a flavor.
_NO_FLAVOR = 'default'


def paste(conf, engine=None):
    """Show where the paste file of Heat's API services has the filter.

    Exits with 1 if a pipeline of the configured flavor does not have it.

    Examples:

      Do all requests pass heat-extras?
        heat-extras-manage paste

      Would they, with this file?
        heat-extras-manage paste --file /etc/heat/api-paste.ini
    """
    path = conf.command.file or find(conf)
    if not path:
        raise cli_config.CommandError(
            "The paste file of Heat's API services was not found: %s. "
            'Name it with --file.' % conf.paste_deploy.api_paste_config)
    state = inspect(conf, path)
    if not state.is_complete:
        raise cli_config.CommandError(lacking(state, path))
    if state.wraps:
        print("%s wraps Heat's own paste file." % path)
    else:
        print('%s has the filter in %s.' % (path, ', '.join(state.guarded)))


def find(conf):
    """Return the path of the paste file of Heat's API services, or None."""
    return conf.find_file(conf.paste_deploy.api_paste_config)


def inspect(conf, path):
    """Read a paste file as Heat's API services do.

    :returns: a :class:`paste_ini.State`.
    :raises CommandError: when they could not read it.
    """
    try:
        return paste_ini.inspect(
            pathlib.Path(path).read_bytes().decode('utf-8'),
            conf.paste_deploy.flavor or _NO_FLAVOR)
    except (UnicodeDecodeError, paste_ini.Unreadable) as error:
        raise cli_config.CommandError(
            "%s is not a valid paste file of Heat's API services: %s. "
            'Name it with --file, or install it again.'
            % (path, error)) from error


def lacking(state, path):
    """Say what is missing in a paste file, and what to do."""
    names = ', '.join(state.unguarded)
    missing = (f'Pipeline {names} of {path} does not have' if names
               else f'No pipeline of {path} has')
    return (f'{missing} the filter of heat-extras, so API services would run '
            'without it. Set [paste_deploy] '
            'api_paste_config to the paste file of heat-extras, '
            'heat-extras-paste.ini. This file also describes how to add the '
            "filter to Heat's own paste file.")


def add_arguments(parser):
    """Add the options of the command to its parser."""
    parser.add_argument(
        '--file', metavar='PATH',
        help='The paste file; by default the one that heat.conf names.')
