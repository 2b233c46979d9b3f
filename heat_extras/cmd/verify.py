# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage list-locks --verify``: what services really hold.

Services are asked with the credentials that Heat keeps for the stacks, as an
engine does.
"""

from heat_extras.cli import tables
from heat_extras.cmd import cli_config
from heat_extras.cmd import formatters
from heat_extras.cmd import load_heat
from heat_extras import sanitize

COLUMNS = ('project', 'stack_name', 'stack_id', 'resource_name',
           'resource_type', 'physical_resource_id', 'noted', 'found',
           'reason')

_SHOWN = tables.Columns(
    ('stack_name', 'resource_name', 'noted', 'found'),
    ('reason', 'physical_resource_id', 'resource_type', 'stack_id',
     'project'))

_ALL = 'all'
# By the lock itself, or by somebody else from the beginning.
_AS_NOTED = {('protected',) * 2, ('found_protected',) * 2}


def verify(conf, rows):
    """Print what each resource is noted as, and what its service says.

    :param rows: the locked root stacks, as
        :func:`heat_extras.db.locks.list_locks` returns them.
    :raises CommandError: when something is not as it should be.
    """
    found = []
    if any(row.lock_level == _ALL for row in rows):
        load_heat.load(conf)
        # Only now: this imports Heat.
        from heat_extras.stack_lock.resource_locks import verification
        found = [(row.tenant, *each) for row in rows
                 if row.lock_level == _ALL
                 for each in verification.of_tree(row.id)]
    formatters.print_rows(COLUMNS, found, conf.command, _SHOWN)
    others = sum(row[-3:-1] not in _AS_NOTED for row in found)
    if others:
        raise cli_config.CommandError(
            f'Found {others} of {sanitize.count(len(found), "resource")} not '
            'protected as their locks want it. Lock the stacks again to '
            'protect them.')
