# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage list-refusals``: what locks stopped, stack by stack."""

from heat_extras.cmd import output
from heat_extras.db import counters

COLUMNS = ('project', 'stack_name', 'stack_id', 'event', 'operation',
           'count', 'first', 'last')


def list_refusals(conf, engine):
    """List what locks refused and ignored, most recent first."""
    rows = counters.per_stack(engine, conf.command.project)
    output.print_rows(COLUMNS, [
        (row.tenant, row.name, row.stack_id, row.event, row.operation,
         row.count, _moment(row.first_at), _moment(row.last_at))
        for row in rows], conf.command.format)


def _moment(value):
    return value and value.isoformat(timespec='seconds') + 'Z'
