# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

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
