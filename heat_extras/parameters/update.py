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


"""Refuse an update or a restore that changes what must stay."""

from heat_extras.parameters import ancestors
from heat_extras.parameters import check as checks
from heat_extras.parameters import nested
from heat_extras.parameters import refusal
from heat_extras.parameters import rules

_OPERATIONS = {'UPDATE': rules.Operation.UPDATE,
               'RESTORE': rules.Operation.RESTORE}


def check(current, updated, questions, is_from_parent):
    """Check an update that Heat has prepared.

    :param updated: the stack as it would be; None: it would not be valid.
    :param questions: what Heat asked about the stack's own parameters.
    :param is_from_parent: whether this is a nested stack whose parent is
        being updated, which has looked ahead already.
    :raises ImmutableParameterModified:
    """
    if is_from_parent:
        _check_child(current, questions)
        return
    found = _own(questions, rules.Operation.UPDATE)
    if updated is not None:
        found += nested.offenders(current, updated)
    if found:
        raise refusal.error(found)


def check_restored(current, restored):
    """Check a restore whose outcome Heat has worked out.

    :raises ImmutableParameterModified:
    """
    found = _own([(current.parameters, restored.parameters)],
                 rules.Operation.RESTORE)
    found += nested.offenders(current, restored, rules.Operation.RESTORE)
    if found:
        raise refusal.error(found, rules.Operation.RESTORE)


def check_restore(current, snapshot):
    """Check a restore that Heat has not begun yet.

    :raises ImmutableParameterModified:
    """
    restored = type(current)(
        current.context, current.name,
        current._template_from_snapshot_data(snapshot.data))
    check_restored(current, restored)


def _check_child(current, questions):
    found = {operation: _own(questions, operation)
             for operation in rules.Operation}
    if not any(found.values()):
        return
    operation = _OPERATIONS.get(ancestors.action(current))
    # A rollback only gives back what was.
    if operation is not None and found[operation]:
        raise refusal.error(found[operation], operation)


def _own(questions, operation):
    return [((), name, answer) for question in questions
            for name, answer in checks.answers(
                *question, operation=operation).items()]
