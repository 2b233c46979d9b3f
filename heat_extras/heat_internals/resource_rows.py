# SPDX-License-Identifier: Apache-2.0

"""The rows of existing resources of a stack.

Heat sets a resource to FAILED if an engine has stopped during its operation
(CheckResource._stale_resource_needs_retry), so its row is FAILED here too.

Two rows can have the same name: a replacement and its predecessor. After a
failed replacement, policies protect the predecessor.
"""

import collections

from heat_extras.heat_internals import heartbeat
from heat_extras.heat_internals import object_data

_FAILED, _IN_PROGRESS = 'FAILED', 'IN_PROGRESS'
_CREATE, _ADOPT, _DELETE, _INIT = 'CREATE', 'ADOPT', 'DELETE', 'INIT'
_CHECK = 'CHECK'
_GONE = ((_INIT, 'COMPLETE'), (_DELETE, 'COMPLETE'))


def was_never_created(action, status, physical_id):
    """Return whether a resource was never complete, so needs no protection.

    A resource whose adoption failed may exist if it has a physical ID. The
    legacy engine replaces resources in INIT that a failed creation left.
    """
    return action == _INIT or status == _FAILED and (
        action == _CREATE or (action == _ADOPT and not physical_id))


def row_was_never_created(row):
    """Return whether the resource of a row was never complete."""
    return was_never_created(row.action, row.status, row.physical_resource_id)


def is_gone(row):
    """Return whether the resource of a row does not exist."""
    return (row.action, row.status) in _GONE


def is_marked(row):
    """Return whether a row, or a resource, is marked as unhealthy."""
    return (row.action, row.status) == (_CHECK, _FAILED)


class Rows:
    """The rows of a stack that an update would use, by name.

    :param stack: a stack that is loaded for the plan. It gets these rows too.
    :ivar others: the other rows of these names.
    :ivar in_progress: the names of resources on which an engine works.
    :ivar interrupted: the actions of resources on which an engine has worked
        that is down, by name.
    """

    def __init__(self, stack):
        self._stack, self._predecessor_names = stack, None
        self.others, self.in_progress, self.interrupted = [], frozenset(), {}
        if stack.convergence:
            self.by_name = self._convergence_rows()
        else:
            self.by_name = stack._db_resources_get()

    def _convergence_rows(self):
        active = self._stack.db_active_resources_get() or {}
        by_name = collections.defaultdict(list)
        for row in active.values():
            by_name[row.name].append(row)
        chosen = {name: rows[0] if len(rows) == 1
                  else _best_row(self._stack, active, name)
                  for name, rows in by_name.items()}
        self.others = [row for row in active.values()
                       if row is not chosen[row.name]]
        self._check_engines(chosen)
        self._predecessor_names = frozenset(
            name for name, row in chosen.items()
            if is_in_place_of_another(row, by_name[name]))
        # The resources of the stack read their rows from here.
        self._stack._db_resources = chosen
        return chosen

    def _check_engines(self, rows):
        held = {name: row.engine_id for name, row in rows.items()
                if row.status == _IN_PROGRESS and row.engine_id}
        if not held:
            return
        down = heartbeat.find_unresponsive(self._stack.context,
                                           {*held.values()})
        self.interrupted = {name: rows[name].action for name in held
                            if held[name] in down}
        self.in_progress = held.keys() - self.interrupted.keys()
        for name in self.interrupted:
            rows[name].status = _FAILED

    def has_predecessor(self, name):
        """Return whether an update will delete a resource's predecessor."""
        if self._predecessor_names is None:
            self._predecessor_names = _legacy_predecessor_names(self._stack)
        return name in self._predecessor_names


def is_in_place_of_another(row, others):
    """Return whether a row is the remainder of a failed replacement.

    With convergence, Heat creates the replacement again and then removes the
    predecessor, unless it prefers the predecessor
    (Stack._get_best_existing_rsrc_db).

    :param others: all rows of the same name.
    """
    return row_was_never_created(row) and any(
        other.id != row.id and row_exists(other) for other in others)


def _best_row(stack, active, name):
    # As chosen by the update, when the stack's template is the previous one.
    later = object_data.copy_stack(stack)
    later.ext_rsrcs_db, later.prev_raw_template_id = active, None
    return later._get_best_existing_rsrc_db(name)


def _legacy_predecessor_names(stack):
    # The legacy engine first removes what a failed update left in the backup
    # stack (StackUpdate.__call__).
    backup = stack._backup_stack(create_if_missing=False)
    rows = {} if backup is None else backup._db_resources_get()
    return frozenset(name for name, row in rows.items()
                     if row.physical_resource_id is not None
                     and row.action != _INIT
                     and (row.action, row.status) != (_DELETE, 'COMPLETE'))


def row_exists(row):
    """Return whether the resource of a row was created and not deleted."""
    return row.action != _DELETE and not row_was_never_created(row)
