# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage paste``: check that API services load heat-extras."""

import pathlib

from heat_extras.cmd import cli_config
from heat_extras import paste_ini

# The pipeline that heat.api:pipeline_factory uses without a flavor.
_NO_FLAVOR = 'default'


def paste(conf, engine=None):
    """Check the paste file of Heat's API for the filter.

    Exits with 1 if a pipeline of the configured flavor does not have it.

    Examples:

      Check the configured file:
        heat-extras-manage paste

      Check another file:
        heat-extras-manage paste --file /etc/heat/api-paste.ini
    """
    path = conf.command.file or find_paste_file(conf)
    if not path:
        raise cli_config.CommandError(
            "The paste file of Heat's API services does not exist: %s. "
            'Give its path with --file.' % conf.paste_deploy.api_paste_config)
    state = inspect_paste_file(conf, path)
    if not state.is_complete:
        raise cli_config.CommandError(missing_filter_message(state, path))
    if state.wraps:
        print("%s runs the applications of Heat's own paste file with the "
              'filter of heat-extras.' % path)
    else:
        print('%s has the filter of heat-extras in these pipelines: %s.'
              % (path, ', '.join(state.guarded)))


def find_paste_file(conf):
    """Return the path of the paste file of Heat's API services, or None."""
    return conf.find_file(conf.paste_deploy.api_paste_config)


def inspect_paste_file(conf, path):
    """Parse a paste file like Heat's API services.

    :returns: a :class:`paste_ini.State`.
    :raises CommandError: if the API services could not read the file.
    """
    try:
        return paste_ini.inspect(
            pathlib.Path(path).read_bytes().decode('utf-8'),
            conf.paste_deploy.flavor or _NO_FLAVOR)
    except (UnicodeDecodeError, paste_ini.Unreadable) as error:
        raise cli_config.CommandError(
            "%s is not a valid paste file of Heat's API services: %s. "
            'Give another path with --file, or install the file again.'
            % (path, error)) from error


def missing_filter_message(state, path):
    """Name the pipelines without the filter, and how to add it."""
    names = ', '.join(state.unguarded)
    missing = (f'These pipelines of {path} do not have the filter of '
               f'heat-extras: {names}.' if names
               else f'No pipeline of {path} has the filter of heat-extras.')
    return (f'{missing} API services would run without heat-extras. Set '
            '[paste_deploy] api_paste_config to the paste file of '
            'heat-extras, heat-extras-paste.ini. The comments in '
            'heat-extras-paste.ini also describe how to add the filter to '
            "Heat's own paste file.")


def add_arguments(parser):
    """Add the options of the command to its parser."""
    parser.add_argument(
        '--file', metavar='PATH',
        help='Path of the paste file (default: the file in [paste_deploy] '
             'api_paste_config of heat.conf).')
