# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-status upgrade check``: check whether a rollout will work."""

import functools
import logging
import sys
import warnings

from oslo_upgradecheck import upgradecheck

from heat_extras.cmd import cli_config
from heat_extras.cmd import manage
from heat_extras import conf as heat_extras_conf
from heat_extras.output import help_text
from heat_extras import sanitize
from heat_extras.upgrade_checks import database
from heat_extras.upgrade_checks import installation

PROG = 'heat-extras-status'

# The exit status of oslo.upgradecheck if it cannot check.
BROKEN = 255

_NO_FILES = ('Not checked, because no heat.conf was found in ~/.heat, ~, '
             '/etc/heat or /etc. Give the heat.conf of the cloud with '
             '--config-file.')


class Checks(upgradecheck.UpgradeCommands):
    """The checks of one configuration.

    :param engine: an engine of SQLAlchemy, or None to skip the database.
    """

    def __init__(self, conf, engine=None):
        super().__init__()
        checks = {
            'Configuration': lambda: _check_configuration(conf),
            'Heat release and signatures':
                lambda: installation.check_heat(conf),
            'Plugins': installation.check_plugins,
            'Paste filter': lambda: _check_paste(conf)}
        if engine is not None:
            checks.update({
                'Columns and tables':
                    lambda: database.check_schema(conf, engine),
                'Cluster of the database':
                    lambda: database.check_cluster(conf, engine),
                'Engines': lambda: database.check_engines(conf, engine),
                'Locks': lambda: database.check_locks(conf, engine),
                'Freezes': lambda: database.check_freezes(conf, engine),
                'Guards that are off':
                    lambda: database.check_disabled_features(conf, engine)})
        self._upgrade_checks = tuple(
            (name, functools.partial(_run_check, check))
            for name, check in checks.items())


def _check_configuration(conf):
    if not cli_config.has_files(conf):
        return upgradecheck.Result(upgradecheck.Code.WARNING, _NO_FILES)
    with cli_config.heat_config(conf) as heat_conf:
        return installation.check_configuration(heat_conf)


def _check_paste(conf):
    if not cli_config.has_files(conf):
        return upgradecheck.Result(upgradecheck.Code.WARNING, _NO_FILES)
    return installation.check_paste(conf)


def _run_check(check, checks):
    # The names of stacks and hosts are from the database, and other programs
    # also write to it.
    result = check()
    if result.details:
        result.details = sanitize.printable(result.details,
                                            sanitize.encoding_of(sys.stdout))
    return result


def _add_parsers(subparsers):
    subparsers.metavar = 'COMMAND'
    parser = subparsers.add_parser(
        'upgrade', help='Check whether an installation or upgrade will work.')
    help_text.use_docstring(parser, main.__doc__.partition(':param')[0])
    parser.add_argument('check', choices=('check',))
    parser.add_argument('--json', action='store_true',
                        help='Print JSON instead of a table.')
    parser.add_argument('--no-db', action='store_true',
                        help='Check only the installation, for example in a '
                             'new image before it is rolled out.')


def _hide_library_warnings():
    # The check imports modules of Heat, and libraries with warnings for
    # developers.
    warnings.simplefilter('ignore')
    logging.getLogger('oslo_service').setLevel(logging.WARNING)


def main(arguments=None):
    """Check the configuration, the installation, and the database of Heat.

    The exit status is 0 for success, 1 after a warning, 2 if the rollout would
    fail, and 255 if a check was not possible.

    Examples:

      In a new image, before it is rolled out:
        heat-extras-status upgrade check --no-db

      On a host of the cloud, before and after the restart:
        heat-extras-status upgrade check

    :param arguments: the arguments of the command line, by default those in
        ``sys.argv``.
    :returns: the exit status.
    """
    try:
        conf = cli_config.parse_command_line(
            PROG, sys.argv[1:] if arguments is None else arguments,
            # Without a log file: if root creates it, an engine cannot open it.
            _add_parsers, is_logging=False)
        _hide_library_warnings()
        heat_extras_conf.register_opts(conf)
        engine = (None if conf.command.no_db
                  else cli_config.connect(conf))
        # UpgradeCommands.check reads the option --json from here.
        upgradecheck.CONF = conf
        return int(Checks(conf, engine).check())
    except manage.EXPECTED as error:
        print(cli_config.error_text(PROG, error), file=sys.stderr)
        return BROKEN
