# SPDX-License-Identifier: Apache-2.0

"""Many stacks, as copies of one stack in Heat's database."""

from tests.dashboard import base

COUNT = 500


def create_copies(cloud, client):
    """Create COUNT stacks, and return the path of the first."""
    path = client.create_stack('many', base.TEMPLATE)
    columns = [name for name, in cloud.host.database.execute(
        "SELECT column_name FROM information_schema.columns WHERE "
        "table_schema = 'heat' AND table_name = 'stack'")]
    copied = [name for name in columns if name not in ('id', 'name')]
    names = ', '.join(f'`{name}`' for name in copied)
    stack_id = path.rpartition('/')[2]
    for number in range(1, COUNT):
        cloud.host.database.execute(
            f'INSERT INTO heat.stack (id, name, {names}) SELECT UUID(), '
            f"'many-{number:03}', {names} FROM heat.stack "
            f"WHERE id = '{stack_id}'")
    return path


def delete_copies(cloud):
    """Delete the copies."""
    cloud.host.database.execute(
        "DELETE FROM heat.stack WHERE name LIKE 'many-%'")
