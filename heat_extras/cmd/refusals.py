# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage list-refusals``: what was stopped, stack by stack."""

from heat_extras.cli import tables
from heat_extras.cmd import formatters
from heat_extras.db import counters

COLUMNS = ('project', 'stack_name', 'stack_id', 'event', 'operation',
           'count', 'first', 'last')
_SHOWN = tables.Columns(('stack_name', 'event', 'operation', 'count'),
                        ('last', 'stack_id', 'first', 'project'))


def list_refusals(conf, engine):
    """List what locks, plugins and templates stopped, most recent first."""
    rows = counters.per_stack(engine, conf.command.project)
    formatters.print_rows(COLUMNS, [
        (row.tenant, row.name, row.stack_id, row.event, row.operation,
         row.count, _moment(row.first_at), _moment(row.last_at))
        for row in rows], conf.command, _SHOWN)


def _moment(value):
    return value and value.isoformat(timespec='seconds') + 'Z'
