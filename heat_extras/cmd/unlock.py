# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage unlock``: a lock whose users can't lift it."""

from heat_extras.cli import tables
from heat_extras.cmd import cli_config
from heat_extras.cmd import formatters
from heat_extras.cmd import load_heat
from heat_extras import sanitize

COLUMNS = ('stack_id', 'resource_name', 'resource_type',
           'physical_resource_id', 'noted', 'reason')
_SHOWN = tables.Columns(
    ('resource_name', 'physical_resource_id', 'noted'),
    ('resource_type', 'reason', 'stack_id'))


def unlock(conf, engine):
    """Lift the lock of one stack, with all that is nested in it.

    For a lock that its users can't lift: their project is gone from
    Keystone, or an administrator has forgotten it. What the lock protects in
    other services is released there. No policy and no plugin is asked; an
    event of the stack tells of it.
    """
    load_heat.load(conf)
    # Only now: this imports Heat.
    from heat_extras.stack_lock import admin_unlock
    root = admin_unlock.find(conf.command.stack)
    if conf.command.dry_run:
        admin_unlock.check(root)
        _print(conf, admin_unlock.protected(root.id))
        print(f'{_name(root)} would be unlocked.')
        return
    left = admin_unlock.unlock(root, _credentials(conf.command.os_cloud),
                               conf.command.leave_protected)
    if left is not None:
        _print(conf, left.rows)
        _tell(conf, root, left)
    print(f'{_name(root)} unlocked.')


def _name(root):
    return sanitize.printable(f'Stack {root.name} ({root.id})')


def _print(conf, rows):
    if rows:
        formatters.print_rows(COLUMNS, [
            (row.stack_id, row.resource_name, row.resource_type,
             row.physical_resource_id, row.state, row.reason)
            for row in rows], conf.command, _SHOWN)


def _tell(conf, root, left):
    if not conf.command.leave_protected:
        raise cli_config.CommandError(
            f'{_name(root)} is still locked, because {left.failure}. Name '
            'somebody who may release them with --os-cloud, or lift the lock '
            'all the same with --leave-protected.')
    print(f'Still protected in their services, because {left.failure}.')


def _credentials(cloud):
    if cloud is None:
        return None
    from heat_extras.cmd import credentials
    return credentials.of_cloud(cloud)


def add_arguments(parser):
    """Add what the command line of ``unlock`` takes."""
    parser.add_argument('stack', metavar='STACK',
                        help='Id of a root stack, or its name where no other '
                             'project has one of that name.')
    parser.add_argument('--dry-run', action='store_true',
                        help='List what the lock protects in other services, '
                             'and change nothing.')
    parser.add_argument('--os-cloud', metavar='CLOUD',
                        help='Ask the services as this cloud of clouds.yaml '
                             'says, an administrator usually; "envvars" '
                             'stands for the variables OS_*. By default with '
                             'the credentials that Heat keeps for the stack, '
                             'which end with its project or user.')
    parser.add_argument('--leave-protected', action='store_true',
                        help='Lift the lock also when a service does not '
                             'release something. That stays protected there, '
                             'and is listed.')
    formatters.add_arguments(parser)
