# SPDX-License-Identifier: Apache-2.0

"""Rows of a large cloud, which SQL statements create.

All rows belong to other projects than the requests, and no operation uses
them.
"""

import json

import sqlalchemy

_BATCH = 50_000
_SEQUENCE = {'mysql': 'SELECT seq FROM seq_{first}_to_{last}',
             'postgresql': 'SELECT generate_series({first}, {last}) AS seq'}
# One of ten templates has a word similar to a heat-extras attribute.
_PLAIN = json.dumps({
    'heat_template_version': '2018-08-31',
    'resources': {'text': {'type': 'OS::Heat::RandomString'}}})
_LIKE_OURS = json.dumps({
    'heat_template_version': '2018-08-31',
    'parameters': {'size': {'type': 'string', 'allowed_values': ['s', 'm']}},
    'resources': {'text': {'type': 'OS::Heat::RandomString'}}})
_STATEMENTS = (
    'INSERT INTO raw_template (id, template, created_at) SELECT '
    '{zero} + seq, CASE WHEN seq % 10 = 0 THEN :like_ours ELSE :plain END, '
    'NOW() FROM ({numbers}) AS numbers',
    'INSERT INTO stack (id, name, raw_template_id, tenant, username, '
    'disable_rollback, backup, nested_depth, convergence, action, status, '
    'status_reason, current_traversal, current_deps, created_at, updated_at) '
    "SELECT LPAD(CONCAT('', seq), 36, '0'), CONCAT('name-', seq), "
    "{zero} + seq, CONCAT('project-', seq % 1000), 'somebody', true, false, "
    "0, true, 'CREATE', 'COMPLETE', 'Stack CREATE completed successfully', "
    "LPAD(CONCAT('', seq), 36, 'a'), '{{}}', NOW(), NOW() "
    'FROM ({numbers}) AS numbers',
    'INSERT INTO resource (id, uuid, name, nova_instance, stack_id, '
    'root_stack_id, action, status, status_reason, atomic_key, '
    'current_template_id, created_at, updated_at) '
    "SELECT {zero} + seq, LPAD(CONCAT('', seq), 36, 'b'), 'text', "
    "CONCAT('text-', seq), LPAD(CONCAT('', seq), 36, '0'), "
    "LPAD(CONCAT('', seq), 36, '0'), 'CREATE', 'COMPLETE', 'state changed', "
    '1, {zero} + seq, NOW(), NOW() FROM ({numbers}) AS numbers')
# Heat's own rows have lower numbers: it goes on counting after the highest.
ZERO = 1_000_000


def fill(engine, rows, say, first=1):
    """Insert so many stacks, each with a template and a resource.

    :param engine: on Heat's database, MariaDB or PostgreSQL, of which each
        statement is a transaction.
    :param first: the number of the first one, after those of before.
    """
    with engine.connect() as connection:
        for begin in range(first, rows + 1, _BATCH):
            last = min(begin + _BATCH - 1, rows)
            _insert(connection, begin, last)
            say(f'{last} of {rows} rows')
        if engine.dialect.name == 'postgresql':
            _advance(connection, rows)
            connection.exec_driver_sql('ANALYZE')
        else:
            connection.exec_driver_sql(
                'ANALYZE TABLE stack, resource, raw_template').all()


def _insert(connection, first, last):
    numbers = _SEQUENCE[connection.dialect.name].format(
        first=first, last=last)
    for statement in _STATEMENTS:
        text = statement.format(numbers=numbers, zero=ZERO)
        values = {'like_ours': _LIKE_OURS, 'plain': _PLAIN}
        connection.execute(sqlalchemy.text(text), values
                           if ':plain' in text else {})


def _advance(connection, rows):
    for table in ('raw_template', 'resource'):
        connection.execute(sqlalchemy.text(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), "
            f'{ZERO + rows})'))
