# SPDX-License-Identifier: Apache-2.0

"""The state that a lock protects, read from the database.

Polls over HTTP miss temporary changes, and fields that the API does not show.
A state is read in one transaction, so it is consistent.
"""

import contextlib
import hashlib

import sqlalchemy

# What may change under a lock: cached attributes, metadata (agents in
# servers report), what the lock itself writes, and the intents of deletions,
# which a rejected deletion removes. The rest must stay.
_MAY_CHANGE = {
    'stack': {'current_traversal', 'current_deps', 'updated_at',
              'lock_id', 'lock_level', 'delete_intents'},
    'resource': {'atomic_key', 'attr_data_id', 'rsrc_metadata',
                 'updated_at'},
    'snapshot': {'updated_at'},
}
_OF_LOCKS = ('LOCK', 'UNLOCK')
_HOOKS = ('pre-create', 'pre-update', 'pre-delete', 'post-create',
          'post-update', 'post-delete')


class Database:
    """Read the database of Heat, without writing.

    :param url: as in ``[database] connection``
    """

    def __init__(self, url):
        self._engine = sqlalchemy.create_engine(url, pool_pre_ping=True)

    def close(self):
        self._engine.dispose()

    @contextlib.contextmanager
    def reader(self):
        """Start a transaction that reads one state of the database."""
        engine = self._engine
        if engine.dialect.name != 'sqlite':
            engine = engine.execution_options(
                isolation_level='REPEATABLE READ')
        with engine.connect() as connection, connection.begin():
            yield connection

    def picture(self, root_id):
        """Read the state of a stack tree.

        :returns: a dict from what it is to how it is, like
                  ``('resource', 17, 'status')`` to ``'COMPLETE'``
        """
        with self.reader() as connection:
            ids = tree_ids(connection, root_id)
            picture = {}
            for row in _rows(connection, 'stack', 'id', ids):
                picture.update(_cells('stack', row))
                picture['template', row['id']] = _template(
                    connection, row['raw_template_id'])
            resources = _rows(connection, 'resource', 'stack_id', ids)
            for row in resources:
                picture.update(_cells('resource', row))
            for row in _rows(connection, 'snapshot', 'stack_id', ids):
                picture.update(_cells('snapshot', row))
            picture.update(_hooks(connection, [row['id']
                                               for row in resources]))
        return picture

    def last_event(self):
        """Return the number of the newest event."""
        with self.reader() as connection:
            return connection.scalar(sqlalchemy.text(
                'SELECT max(id) FROM event')) or 0

    def events(self, root_id, after):
        """List the events of a tree that are newer than *after*."""
        with self.reader() as connection:
            return [row for row in _rows(connection, 'event', 'stack_id',
                                         tree_ids(connection, root_id))
                    if row['id'] > after]

    def begun(self, root_id, after):
        """List the operations in a tree with start events after *after*.

        Locks and similar actions are omitted: they start no operation of Heat.

        :returns: sentences
        """
        return [f'stack {row["stack_id"]} has an event '
                f'{row["resource_action"]}_IN_PROGRESS'
                for row in self.events(root_id, after)
                if row['physical_resource_id'] == row['stack_id']
                and row['resource_status'] == 'IN_PROGRESS'
                and row['resource_action'] not in _OF_LOCKS]

    def leftovers(self, root_id):
        """List everything in progress on which no engine works.

        :returns: sentences
        """
        with self.reader() as connection:
            ids = tree_ids(connection, root_id)
            resources = _rows(connection, 'resource', 'stack_id', ids)
            snapshots = _rows(connection, 'snapshot', 'stack_id', ids)
            registered = _registered(connection, root_id)
        return self.stack_locks(root_id) + registered + [
            f'resource {row["name"]} is held by engine {row["engine_id"]}, '
            f'{row["action"]}_{row["status"]}'
            for row in resources if row['engine_id'] is not None] + [
            # Heat 24 and 25 do not store the action.
            f'snapshot {row["id"]} is {row.get("action")} IN_PROGRESS'
            for row in snapshots if row['status'] == 'IN_PROGRESS']

    def stack_locks(self, root_id):
        """List the rows of Heat's StackLock."""
        with self.reader() as connection:
            rows = _rows(connection, 'stack_lock', 'stack_id',
                         tree_ids(connection, root_id))
        return [f'StackLock of stack {row["stack_id"]}, engine '
                f'{row["engine_id"]}' for row in rows]

    def busy_stacks(self, root_id):
        """List the stacks of a tree with an operation in progress.

        :returns: sentences
        """
        with self.reader() as connection:
            rows = _rows(connection, 'stack', 'id',
                         tree_ids(connection, root_id))
        return _busy(rows) + self.busy_locks(root_id)

    def busy_locks(self, root_id):
        """List the lock operations in progress on a root stack.

        :returns: sentences
        """
        with self.reader() as connection:
            return [f'the lock of stack {root_id} is '
                    f'{row["action"]}_IN_PROGRESS'
                    for row in _locks(connection, root_id)
                    if row['status'] == 'IN_PROGRESS']

    def of_heat(self, root_id):
        """List everything that Heat considers busy.

        A StackLock of an engine that is down does not count.

        :returns: sentences
        """
        with self.reader() as connection:
            ids = tree_ids(connection, root_id)
            living = _living(connection)
            stacks = _rows(connection, 'stack', 'id', ids)
            resources = _rows(connection, 'resource', 'stack_id', ids)
            held = _rows(connection, 'stack_lock', 'stack_id', ids)
        at_work = {row['id'] for row in stacks if row['status'] != 'FAILED'}
        return _busy(stacks) + [
            f'stack {row["name"]} is INIT_COMPLETE' for row in stacks
            if (row['action'], row['status']) == ('INIT', 'COMPLETE')] + [
            f'resource {row["name"]} is {row["action"]}_{row["status"]} and '
            f'held by engine {row["engine_id"]}' for row in resources
            if row['engine_id'] in living
            or row['engine_id'] is None and row['status'] == 'IN_PROGRESS'
            and row['stack_id'] in at_work] + [
            f'stack {row["stack_id"]} is held by engine {row["engine_id"]}'
            for row in held if row['engine_id'] in living]

    def of_locks(self, root_id):
        """List lock operations in progress, and inconsistent locks.

        :returns: sentences
        """
        with self.reader() as connection:
            rows = _rows(connection, 'stack', 'id',
                         tree_ids(connection, root_id))
            registered = _registered(connection, root_id)
            living = _living(connection)
        kinds = {row['lock_level'] for row in rows if not row['backup']}
        return self.busy_locks(root_id) + registered + [
            f'the stacks of a tree have locks of the levels {kinds}'
        ] * (len(kinds) > 1) + [
            f'stack {row["id"]} has the intent to delete {each}'
            for row in rows
            for each in (row['delete_intents'] or '').split(';')
            if each.partition('/')[0] in living]

    def operations(self):
        """List the operations whose post calls are outstanding."""
        with self.reader() as connection:
            return connection.execute(sqlalchemy.text(
                'SELECT * FROM heat_extras_operation '
                "WHERE phase != 'denied'")).mappings().all()

    def untold(self):
        """List these operations if Heat does not consider the stack busy.

        :returns: sentences
        """
        rows = self.operations()
        return [f'nobody tells of {row["action"]} {row["id"]} of stack '
                f'{row["stack_id"]}, {row["phase"]}' for row in rows
                if not self.of_heat(row['stack_id'])]

    def lock_id(self, root_id):
        """Return the ID of the lock of a root stack, or None.

        The ID is also returned during an update with a lock pass.
        """
        with self.reader() as connection:
            return next((row['lock_id'] for row in _rows(
                connection, 'stack', 'id', [root_id])
                if row['lock_level'] or row['lock_passing']), None)

    def holding(self, root_id, lock_id):
        """List the stacks of a tree, and the table rows, that are locked.

        :returns: sentences
        """
        with self.reader() as connection:
            rows = _rows(connection, 'stack', 'id',
                         tree_ids(connection, root_id))
            entries = _rows(connection, 'heat_extras_guard', 'id', [lock_id])
        return [f'stack {row["name"]} has it, '
                f'{row["lock_level"] or row["lock_passing"]}' for row in rows
                if row['lock_id'] == lock_id
                and (row['lock_level'] or row['lock_passing'])] + [
            'the register has it'] * len(entries)

    def kept(self, root_id):
        """Return the state that a delete protection keeps, and its ID."""
        with self.reader() as connection:
            row, = _rows(connection, 'stack', 'id', [root_id])
        return (row['delete_protection_id'], row['deleted_at'],
                row['action'] == 'DELETE')

    def levels(self, root_id):
        """Return the distinct pairs of level and level during a lock pass."""
        with self.reader() as connection:
            return {(row['lock_level'], row['lock_passing'])
                    for row in _rows(connection, 'stack', 'id',
                                     tree_ids(connection, root_id))
                    if not row['backup']}

    def is_busy(self, root_id):
        """Return whether an operation in the tree is in progress."""
        return bool(self.busy_stacks(root_id) or self.leftovers(root_id))

    def nested_ids(self, root_id):
        """List the IDs of the stacks below a root stack."""
        with self.reader() as connection:
            return tree_ids(connection, root_id)[1:]

    def names(self, ids):
        """Map IDs of stacks to names."""
        with self.reader() as connection:
            return {row['id']: row['name']
                    for row in _rows(connection, 'stack', 'id', ids)}


def _busy(rows):
    return [f'stack {row["name"]} is {row["action"]}_IN_PROGRESS'
            for row in rows if row['status'] == 'IN_PROGRESS'
            # A failed update of a legacy stack leaves its backup so, for the
            # next one (heat.engine.stack.Stack._backup_stack).
            and not row['backup']]


def _locks(connection, root_id):
    return [row for row in _rows(connection, 'heat_extras_guard', 'stack_id',
                                 [root_id]) if row['kind'] == 'lock']


def _living(connection):
    # A restarted engine has the same host as before.
    return set({row['host']: row['engine_id']
                for row in connection.execute(sqlalchemy.text(
                    'SELECT host, engine_id FROM service WHERE deleted_at '
                    'IS NULL ORDER BY created_at')).mappings()}.values())


def _registered(connection, root_id):
    """List the differences of the table of locks and a root stack's lock."""
    wanted = [row['lock_id'] for row in _rows(connection, 'stack', 'id',
                                              [root_id])
              if row['lock_level'] or row['lock_passing']]
    ids = [row['id'] for row in _locks(connection, root_id)]
    return [] if wanted == ids else [
        f'the register has the locks {ids}, the stack {wanted}']


def tree_ids(connection, root_id):
    """List the IDs of a stack and its nested stacks, including backups."""
    ids, level = [root_id], [root_id]
    while level:
        level = [row['id'] for row in _rows(connection, 'stack', 'owner_id',
                                            level)
                 if row['deleted_at'] is None]
        ids += level
    return ids


def changes(before, after):
    """List the differences between two states in words."""
    differing = [key for key in {**before, **after}
                 if before.get(key, 'absent') != after.get(key, 'absent')
                 and not _is_undone_snapshot(key, before, after)]
    return ['%s: %r became %r' % (
        ' '.join(map(str, key)), before.get(key, 'absent'),
        after.get(key, 'absent')) for key in sorted(differing, key=str)]


def _is_undone_snapshot(key, before, after):
    # A snapshot that lost the race deletes the row that it had created.
    # The lock does not protect this row.
    return (key[0] == 'snapshot' and key not in after
            and before.get(('snapshot', key[1], 'status')) == 'IN_PROGRESS')


def _rows(connection, table, column, values):
    statement = sqlalchemy.text(
        f'SELECT * FROM {table} WHERE {column} IN :values ORDER BY 1'
    ).bindparams(sqlalchemy.bindparam('values', expanding=True))
    return list(connection.execute(
        statement, {'values': list(values)}).mappings())


def _cells(table, row):
    return {(table, row['id'], column): value for column, value
            in row.items() if column not in _MAY_CHANGE[table]}


def _template(connection, template_id):
    row = _rows(connection, 'raw_template', 'id', [template_id])[0]
    text = repr((row['template'], row['environment'], row['files_id']))
    return hashlib.sha256(text.encode()).hexdigest()


def _hooks(connection, resource_ids):
    return {('hook', row['resource_id'], row['key']): row['value']
            for row in _rows(connection, 'resource_data', 'resource_id',
                             resource_ids) if row['key'] in _HOOKS}
