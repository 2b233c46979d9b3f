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

"""Operations on the convergence engine: begun here, ended by any engine.

The stack is marked as IN_PROGRESS, under a traversal of its own, when the
caller gets his answer. Then plugins are asked in a thread of the stack, and
only when all let it pass Heat goes on and stores the new template.
"""

import functools

from heat.engine import sync_point
from oslo_log import log as logging
from oslo_utils import timeutils
from oslo_utils import uuidutils

from heat_extras.db import charset
from heat_extras.lifecycle import calls
from heat_extras.lifecycle import ledger
from heat_extras.lifecycle import operation as operations
from heat_extras.lifecycle import runner

LOG = logging.getLogger(__name__)

PENDING = object()


def start(stack, original, template, action, new_stack, options):
    """Do what Stack.converge_stack does, once the plugins let it pass.

    :param original: Heat's Stack.converge_stack, bound.
    :param options: its further arguments.
    """
    previous = stack.current_traversal
    shown = {'action': stack.action, 'status': stack.status,
             'state': stack.state, 'status_reason': stack.status_reason}
    operation = _take(stack, action, options.get('new_traversal_id'))
    if operation is None:
        return
    sync_point.delete_all(stack.context, stack.id, previous)
    go_on = functools.partial(original, template, action=action,
                              new_stack=new_stack, **options)
    stack.thread_group_mgr.start(
        stack.id, _ask, stack, operation, previous, shown, go_on,
        functools.partial(_planned, stack, template, action, new_stack))


def _take(stack, action, traversal):
    # As Stack.converge_stack does, but with the template as it is. The row
    # comes first: whoever finds the stack under this traversal finds that
    # its plugins are still asked, see is_asked().
    previous = stack.current_traversal
    if action != stack.CREATE:
        stack.updated_time = timeutils.utcnow()
    stack.action, stack.status = action, stack.IN_PROGRESS
    stack.status_reason = f'Stack {action} started'
    stack.current_traversal = traversal or uuidutils.generate_uuid()
    operation = calls.enter(stack, action, stack.current_traversal)
    if stack.store(exp_trvsl=previous) is not None:
        return operation
    calls.end(stack, operation)
    LOG.warning('Stack %(name)s (%(id)s) was changed meanwhile; its '
                '%(action)s is not started',
                {'name': stack.name, 'id': stack.id, 'action': action})
    return None


def _planned(stack, template, action, new_stack):
    # Heat's legacy engine shows plugins the stack that a rollback of an
    # update leads to (Stack.update_task), too.
    if new_stack is not None or action != stack.ROLLBACK or not list(
            template.resource_definitions(stack)):
        return new_stack
    planned = type(stack)(stack.context, stack.name, template,
                          disable_rollback=stack.disable_rollback,
                          timeout_mins=stack.timeout_mins)
    planned.parameters.set_stack_id(stack.identifier())
    return planned


def _ask(stack, operation, previous, shown, go_on, planned):
    action = operation.action
    tell_superseded(stack, previous)
    try:
        operation = calls.ask(stack, operation, planned(), shown)
    except runner.Refused as refusal:
        give_up(stack, action, str(refusal))
        calls.end(stack, operation)
        return
    except Exception as error:
        LOG.exception('Lifecycle plugins of stack %s could not be called',
                      stack.id)
        give_up(stack, action, 'Lifecycle plugins could not be called before '
                               f'{action}: {type(error).__name__}')
        calls.end(stack, operation)
        return
    stack.heat_extras_asked = operation
    stack.heat_extras_first_store = PENDING
    go_on()
    if stack.heat_extras_first_store is None:
        # A newer operation took the stack while the plugins were asked.
        calls.abort(stack, operation)
        calls.end(stack, operation)


def is_asked(stack):
    """Say whether plugins are still asked, so that nothing has begun.

    Or told that it does not begin.

    The stack has no template to go back to then: Stack.rollback would go to
    an empty one.
    """
    return ledger.find(stack.context, stack.id, stack.current_traversal,
                       operations.NOT_BEGUN) is not None


def give_up(stack, action, reason):
    """Mark a stack as FAILED of which nothing has begun."""
    if not stack.state_set(action, stack.FAILED, reason):
        return
    if action == stack.SNAPSHOT:
        stack.update_snapshot(charset.line(reason), stack.CREATE,
                              stack.FAILED)
    # No rollback: nothing was done. Workers of what ran before bail out.
    stack.purge_db()


def set_running(stack):
    """Note that Heat begins to work on what the plugins let pass.

    :returns: False when the stack has another traversal by now.
    """
    operation = stack.heat_extras_asked
    stack.heat_extras_asked = None
    if ledger.set_running(stack.context, operation, stack.current_traversal):
        return True
    calls.abort(stack, operation)
    calls.end(stack, operation)
    return False


def tell_superseded(stack, traversal):
    """Make the post call of what a newer operation, or a cancel, ended.

    Heat's own work goes on whatever happens here: the recovery finds rows
    of operations that are over.
    """
    try:
        operation = ledger.find(stack.context, stack.id, traversal)
        if operation is not None:
            tell(stack, operation, True)
            calls.end(stack, operation)
    except Exception:
        LOG.exception('Lifecycle plugins could not be told of the end of an '
                      'operation of stack %s', stack.id)


def tell(stack, operation, is_failure):
    """Make the post call, with the stack as it is in the database.

    Workers hold a light Stack with cached resource data.

    :returns: as :func:`calls.finish`.
    """
    try:
        whole = type(stack).load(stack.context, stack_id=stack.id)
    except Exception as error:
        LOG.warning('Stack %(id)s is shown to lifecycle plugins as the '
                    'engine has it: %(error)s',
                    {'id': stack.id, 'error': error})
        whole = stack
    has_new = operation.action in (stack.UPDATE, stack.ROLLBACK,
                                   stack.RESTORE)
    return calls.finish(whole, operation, is_failure,
                        whole if has_new else None)


def complete(stack, original):
    """Do what Stack.mark_complete does, once the plugins were told."""
    operation = ledger.find(stack.context, stack.id,
                            stack.current_traversal)
    failures = operation and tell(stack, operation, False)
    if failures is None:
        return original()
    try:
        if not failures:
            return original()
        stack.mark_failed(_reason(stack, failures))
    finally:
        calls.end(stack, operation)


def _reason(stack, failures):
    reason = '; '.join(failures)
    # Stack.mark_failed gives it to the snapshot, too.
    return charset.line(reason) if stack.action == stack.SNAPSHOT else reason
