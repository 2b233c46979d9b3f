# SPDX-License-Identifier: Apache-2.0

"""Which resources of a stack are there, and which never were.

Two rows can have one name: a replacement, and what it was to replace. After
a replacement that failed it is the latter that a policy protects.
"""

import collections
import copy

_FAILED = 'FAILED'
_CREATE, _ADOPT, _DELETE, _INIT = 'CREATE', 'ADOPT', 'DELETE', 'INIT'


def was_never_created(action, status, physical_id):
    """Return whether a resource was never complete: nothing to protect.

    What could not be adopted may be there all the same, if it was found.
    """
    return status == _FAILED and (
        action == _CREATE or (action == _ADOPT and not physical_id))


def row_was_never_created(row):
    """Return the same for a row."""
    return was_never_created(row.action, row.status, row.physical_resource_id)


class Rows:
    """The rows of a stack that an update would take up, by name.

    :param stack: loaded to plan with; it comes to have these rows, too.
    """

    def __init__(self, stack):
        self._stack, self._behind = stack, None
        if stack.convergence:
            self.by_name = self._of_convergence()
        else:
            self.by_name = stack._db_resources_get()

    def _of_convergence(self):
        active = self._stack.db_active_resources_get() or {}
        by_name = collections.defaultdict(list)
        for row in active.values():
            by_name[row.name].append(row)
        chosen = {name: found[0] if len(found) == 1
                  else _best(self._stack, active, name)
                  for name, found in by_name.items()}
        self._behind = frozenset(
            name for name, row in chosen.items()
            if is_in_place_of_another(row, by_name[name]))
        # Each resource that is made of the stack looks for its row there.
        self._stack._db_resources = chosen
        return chosen

    def has_predecessor(self, name):
        """Return whether an update will destroy what was to be replaced."""
        if self._behind is None:
            self._behind = _behind_legacy(self._stack)
        return name in self._behind


def is_in_place_of_another(row, others):
    """Return whether a row is what is left of a replacement that failed.

    With convergence Heat makes it anew and then removes what was to be
    replaced, unless that one is the better of the two
    (Stack._get_best_existing_rsrc_db).

    :param others: all rows of the same name.
    """
    return row_was_never_created(row) and any(
        other.id != row.id and _is_there(other) for other in others)


def _best(stack, active, name):
    # As it will be when the template that the stack has is the previous one.
    later = copy.copy(stack)
    later.ext_rsrcs_db, later.prev_raw_template_id = active, None
    return later._get_best_existing_rsrc_db(name)


def _behind_legacy(stack):
    # Before anything else this engine removes what an update that failed has
    # left in the backup stack (StackUpdate.__call__).
    backup = stack._backup_stack(create_if_missing=False)
    found = {} if backup is None else backup._db_resources_get()
    return frozenset(name for name, row in found.items()
                     if row.physical_resource_id is not None
                     and row.action != _INIT
                     and (row.action, row.status) != (_DELETE, 'COMPLETE'))


def _is_there(row):
    return (row.action not in (_INIT, _DELETE)
            and not row_was_never_created(row))
