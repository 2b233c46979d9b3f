# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage paste``: whether the API comes to heat-extras."""

from heat_extras.cmd import cli_config
from heat_extras import paste_ini
from heat_extras.upgrade_checks import paste as checks


def paste(conf, engine=None):
    """Show where the paste file of Heat's API services has the filter.

    Exits with 1 where a pipeline of the flavor in use lacks it.
    """
    path = conf.command.file or cli_config.find_paste(conf)
    if not path:
        raise cli_config.CommandError(
            "Found no %s, wanted the paste file of Heat's API services. "
            'Name it with --file.' % conf.paste_deploy.api_paste_config)
    state = paste_ini.inspect(cli_config.read_paste(path),
                              cli_config.paste_flavor(conf))
    if not state.is_complete:
        raise cli_config.CommandError(checks.lacking(state, path))
    if state.wraps:
        print("%s wraps Heat's own paste file." % path)
    else:
        print('%s has the filter in %s.' % (path, ', '.join(state.guarded)))


def add_arguments(parser):
    """Add the options of the command to its parser."""
    parser.add_argument(
        '--file', metavar='PATH',
        help='The paste file; by default the one that heat.conf names.')
