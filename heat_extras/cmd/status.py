# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-status upgrade check``: whether a rollout will work."""

import functools
import logging
import sys
import warnings

from oslo_upgradecheck import upgradecheck

from heat_extras.cli import help_text
from heat_extras.cmd import cli_config
from heat_extras.cmd import formatters
from heat_extras.cmd import manage
from heat_extras import conf as heat_extras_conf
from heat_extras import sanitize
from heat_extras.upgrade_checks import database
from heat_extras.upgrade_checks import galera
from heat_extras.upgrade_checks import installation
from heat_extras.upgrade_checks import paste

PROG = 'heat-extras-status'

# What oslo.upgradecheck exits with when it could not check.
BROKEN = 255


class Checks(upgradecheck.UpgradeCommands):
    """The checks of one configuration.

    :param engine: for Heat's database, None to leave it alone.
    """

    def __init__(self, conf, engine=None):
        super().__init__()
        checks = {
            'Configuration': lambda: _check_configuration(conf),
            'Heat release and signatures':
                lambda: installation.check_heat(conf),
            'Plugins': installation.check_plugins,
            'Paste filter': lambda: paste.check_paste(conf)}
        if engine is not None:
            checks.update({
                'Columns and tables':
                    lambda: database.check_schema(conf, engine),
                'Cluster of the database':
                    lambda: galera.check_cluster(conf, engine),
                'Engines': lambda: database.check_engines(conf, engine),
                'Locks': lambda: database.check_locks(conf, engine),
                'Freezes': lambda: database.check_freezes(engine),
                'Guards that are off':
                    lambda: database.check_disabled_features(conf, engine)})
        self._upgrade_checks = tuple(
            (name, functools.partial(_run, check))
            for name, check in checks.items())


def _check_configuration(conf):
    with cli_config.shared_with_heat(conf) as heats:
        return installation.check_configuration(heats)


def _run(check, checks):
    # Names of stacks and hosts come from a database that others write, too.
    result = check()
    if result.details:
        result.details = sanitize.printable(result.details,
                                            sanitize.encoding(sys.stdout))
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
                        help='Check what is installed only, as inside a new '
                             'image before it is rolled out.')


def _be_quiet():
    # Heat's modules are imported by the check, and with them libraries that
    # have something to say to those who write services.
    warnings.simplefilter('ignore')
    logging.getLogger('oslo_service').setLevel(logging.WARNING)


def main(arguments=None):
    """Check the configuration, what is installed, and the database of Heat.

    Exits with 0 if all is well, 1 after a warning, 2 if something would fail,
    and 255 if it could not check.

    Examples:

      Inside a new image, before it is rolled out:
        heat-extras-status upgrade check --no-db

      On a host of the cloud, before and after the restart:
        heat-extras-status upgrade check

    :param arguments: those of the command line, ``sys.argv`` by default.
    :returns: the exit status.
    """
    try:
        conf = cli_config.read(
            PROG, sys.argv[1:] if arguments is None else arguments,
            # Who looks may be root: an engine could not open its log then.
            _add_parsers, is_logging=False)
        _be_quiet()
        heat_extras_conf.register_opts(conf)
        engine = (None if conf.command.no_db
                  else cli_config.connect(conf))
        # Where UpgradeCommands.check looks for --json.
        upgradecheck.CONF = conf
        return int(Checks(conf, engine).check())
    except manage.EXPECTED as error:
        print('%s: %s' % (PROG, formatters.line(error)), file=sys.stderr)
        return BROKEN
