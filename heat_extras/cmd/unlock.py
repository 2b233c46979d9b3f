# SPDX-License-Identifier: Apache-2.0

"""Commands for one stack: ``unlock``, ``reset-lock`` and ``unprotect``.

Use them if the users of the stack, or its engine, are not available.
"""

from sqlalchemy import sql

from heat_extras.cmd import cli_config
from heat_extras.db import heat_tables
from heat_extras.db import operator_locks
from heat_extras import operator_errors
from heat_extras.output import lister
from heat_extras import sanitize
from heat_extras.stack_lock import options
from heat_extras.stack_lock.resource_locks import resource_states

COLUMNS = ('stack_id', 'resource_name', 'resource_type',
           'physical_resource_id', 'lock_protection', 'reason')
_SHOWN = lister.Columns(
    ('resource_name', 'physical_resource_id', 'lock_protection', 'reason'),
    ('reason',))

_WITHOUT_FEATURE = (
    ' To unlock all stacks before you uninstall heat-extras, run '
    'heat-extras-manage db_downgrade --unlock-all --leave-protected. Their '
    'resources stay protected in other services.')


def unlock(conf, engine):
    """Unlock one stack and all stacks nested in it.

    Use this if the users of the stack cannot unlock it, for example because
    their project was deleted in Keystone. Resources that the lock protects
    are released in their services. Policies and plugins are not checked. An
    event of the stack records the unlock.

    Examples:

      List the resources that the lock protects in other services:
        heat-extras-manage unlock --dry-run web

      Unlock the stack as an administrator of a cloud in clouds.yaml:
        heat-extras-manage unlock --os-cloud admin web
    """
    cli_config.load_lock_handlers(conf, _WITHOUT_FEATURE)
    # Not at the top, because this imports Heat.
    from heat_extras.stack_lock import admin_unlock
    root = find_root(engine, conf.command.stack, 'list-locks')
    if conf.command.dry_run:
        admin_unlock.check_unlockable(root)
        _print_resources(conf, admin_unlock.list_protected(root.id))
        print(f'{_name_stack(root)} would be unlocked.')
        return
    left = admin_unlock.unlock(root, _cloud_context(conf.command.os_cloud),
                               conf.command.leave_protected)
    if left is not None:
        _print_resources(conf, left.rows)
        _report_left(conf, root, left)
    print(f'{_name_stack(root)} unlocked.')


def _name_stack(root):
    return f'Stack {name_and_id(root)}'


def _print_resources(conf, rows):
    if rows:
        lister.print_rows(COLUMNS, [
            (row.stack_id, row.resource_name, row.resource_type,
             row.physical_resource_id, resource_states.shown(row.state),
             row.reason)
            for row in rows], conf.command, _SHOWN)


def _report_left(conf, root, left):
    if not conf.command.leave_protected:
        raise cli_config.CommandError(
            f'{_name_stack(root)} is still locked, because {left.failure}. '
            'Run the command again with --os-cloud and a user who may release '
            'these resources. Or unlock the stack with --leave-protected, and '
            'these resources stay protected.')
    print('These resources are still protected in their services, because '
          f'{left.failure}.')


def _cloud_context(cloud):
    """Create a context of Heat with the credentials of a cloud."""
    if cloud is None:
        return None
    # Not at the top, like Heat.
    from heat.common import context as heat_context
    from keystoneauth1 import exceptions
    from keystoneauth1.identity import base
    from keystoneauth1 import session as keystone_session
    import openstack.config
    import openstack.exceptions
    try:
        region = openstack.config.OpenStackConfig().get_one(cloud=cloud)
        plugin = region.get_auth()
        if not isinstance(plugin, base.BaseIdentityPlugin):
            raise exceptions.ClientException(
                'its auth_type has no user in Keystone')
        verify, cert = region.get_requests_verify_args()
        access = plugin.get_access(
            keystone_session.Session(verify=verify, cert=cert))
    except (openstack.exceptions.ConfigException,
            exceptions.ClientException) as error:
        raise cli_config.CommandError(
            f'Cloud "{cloud}" cannot be used: {error}. Expected the name of a '
            'cloud in clouds.yaml, or "envvars" if OS_AUTH_URL and the other '
            'variables are set.') from error
    return heat_context.RequestContext(
        is_admin=True, auth_plugin=plugin, auth_url=region.get_auth_args()[
            'auth_url'], region_name=region.region_name or None,
        username=access.username, user_id=access.user_id,
        project_id=access.project_id, roles=access.role_names)


def reset_lock(conf, engine):
    """Set a lock that stays IN_PROGRESS to FAILED.

    Engines do this for the locks of an engine that is down. The stacks stay
    locked. After the reset of a lock, lock the stack again, or unlock or
    delete it. After the reset of an unlock, unlock or delete the stack.

    Examples:

      Reset a lock that no engine works on:
        heat-extras-manage reset-lock web
    """
    root = find_root(engine, conf.command.stack, 'list-locks')
    changed = operator_locks.reset_lock(engine, root.id)
    if not changed:
        raise cli_config.CommandError(
            'Stack %s has no lock operation in progress. No lock was changed. '
            'To show the states of all locks, run heat-extras-manage '
            'list-locks.' % name_and_id(root))
    print(f'The locks of {sanitize.with_plural(changed, "stack")} were set to '
          'FAILED. The stacks stay locked.')


def unprotect(conf, engine):
    """Remove the delete protection of a root stack.

    Use this if the users of the stack cannot remove the protection, for
    example because their project was deleted in Keystone. Policies and plugins
    are not checked. An event of the stack records the change.

    Examples:

      Remove the protection of a stack:
        heat-extras-manage unprotect web
    """
    root = find_root(engine, conf.command.stack, 'list-protected')
    name = f'Stack {name_and_id(root)}'
    conf.register_opts(options.OPTIONS, group='heat_extras')
    tag = next((row.tag for row in operator_locks.list_tagged(
        engine, options.read_protection_tags(conf), root.tenant)
        if row.id == root.id), None)
    by_tag = (f'{name} is protected by the tag "{tag}". Remove the tag: '
              'openstack stack update --existing --tags TAGS '
              f'{sanitize.printable(root.name)}, where TAGS are all tags of '
              f'the stack except "{tag}". If the stack is suspended, first '
              'resume it.')
    if operator_locks.unprotect(engine, root.id):
        print(f'{name} unprotected.')
        if tag is not None:
            print(by_tag)
        return
    raise cli_config.CommandError(by_tag if tag is not None else (
        f'{name} is not protected from deletion. To list the protected '
        'stacks, run heat-extras-manage list-protected.'))


def add_stack_argument(parser):
    """Add the argument that names a root stack."""
    parser.add_argument('stack', metavar='STACK',
                        help='ID of a root stack, or its name if no other '
                             'project has a stack with this name.')


def add_arguments(parser):
    """Add the arguments of ``unlock``."""
    add_stack_argument(parser)
    parser.add_argument('--dry-run', action='store_true',
                        help='List the resources that the lock protects, but '
                             'do not unlock the stack.')
    parser.add_argument('--os-cloud', metavar='CLOUD',
                        help='Name of a cloud in clouds.yaml, or "envvars" '
                             'for the variables OS_*. The command calls the '
                             'services with the credentials of this cloud, '
                             'usually of an administrator. By default, the '
                             'command uses the credentials that Heat stores '
                             'for the stack. These are invalid if the project '
                             'or user of the stack was deleted.')
    parser.add_argument('--leave-protected', action='store_true',
                        help='Unlock the stack even if a service does not '
                             'release a resource. Such resources stay '
                             'protected, and are listed.')


_stack = heat_tables.stack

# The maximum number of stacks that an error lists.
_NAMED = 5


class NoRootStack(operator_errors.HeatExtrasError):
    """No root stack or several root stacks are meant."""


def find_root(engine, name_or_id, command):
    """Return the row of a root stack.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param name_or_id: its ID, or a name that only one root stack has.
    :param command: the command that lists the stacks, for the error.
    :raises NoRootStack: if no root stack or several have the name.
    """
    rows = _matching_rows(engine, name_or_id)
    if not rows:
        raise NoRootStack(
            f'No root stack has the ID or name {sanitize.quote(name_or_id)}. '
            f'To list the stacks, run heat-extras-manage {command}.')
    if len(rows) > 1:
        raise NoRootStack(
            f'{len(rows)} stacks have the name {sanitize.quote(name_or_id)}: '
            f'{_list_stacks(rows)}. Give the ID of the stack.')
    if rows[0].owner_id is not None:
        raise NoRootStack(
            f'Stack {name_and_id(rows[0])} is nested in stack '
            f'{rows[0].owner_id}, and is always locked, unlocked and '
            'protected together with its root stack. Use the ID of the root '
            'stack.')
    return rows[0]


def name_and_id(row):
    """Return the name and ID of a stack, safe to print."""
    return sanitize.printable(f'{row.name} ({row.id})')


def _matching_rows(engine, name_or_id):
    if not name_or_id.isascii():
        # Heat does not allow such names, and a database can reject the query.
        return []
    is_meant = sql.or_(_stack.c.id == name_or_id, sql.and_(
        _stack.c.name == name_or_id, _stack.c.owner_id.is_(None)))
    with engine.connect() as connection:
        rows = connection.execute(sql.select(_stack).where(
            is_meant, _stack.c.deleted_at.is_(None))).all()
    # The name of a stack can be equal to the ID of another stack, and MySQL
    # and MariaDB compare "web" and "WEB" as equal.
    return ([row for row in rows if row.id == name_or_id]
            or [row for row in rows if row.name == name_or_id])


def _list_stacks(rows):
    return sanitize.join_some([f'{row.id} of project {row.tenant}'
                               for row in rows], ', ', most=_NAMED)
