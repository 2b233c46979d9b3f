# SPDX-License-Identifier: Apache-2.0

"""``--plan-first`` of an update or deletion: show the plan, and ask."""

from osc_lib import exceptions

from heat_extras.client import error_message
from heat_extras.client.osc import plan
from heat_extras.client import plan_file
from heat_extras.client import plan_tree

_NO_TERMINAL = (
    'Nothing was changed: --plan-first cannot ask, because the input is not a '
    'terminal. To make the changes without a question, add --yes. To only see '
    'the changes: openstack stack plan%s.')
_STOPPED = ('Nothing was changed, because Heat would reject or stop this '
            'update.')
_NOTHING_TO_DO = 'There is nothing to change.'
_DELETION_STOPPED = ('Nothing was changed, because Heat would reject the '
                     'deletion.')
_DELETION_NOT_CONFIRMED = ('Nothing was changed: the deletion was not '
                           'confirmed.')
_CHANGED = ('Nothing was changed: the plan of stack %s changed after it was '
            'shown. Repeat the command to see the new plan.')
_QUESTION = 'Do you want to make these changes? [y/N] '
_NOT_CONFIRMED = 'Nothing was changed: the update was not confirmed.'


def add_arguments(parser):
    """Add the arguments to the parser of "stack update"."""
    parser.add_argument(
        '--plan-first', action='store_true',
        help='Show the plan of the update, ask whether to make these changes, '
             'and update the stack only as planned. Heat rejects the update '
             'if it would differ from the plan. Not allowed with --plan, '
             '--dry-run and --files-container')
    parser.add_argument(
        '--yes', action='store_true',
        help='With --plan-first: show the plan, but do not ask')


def check_arguments(parsed_args, app):
    """Reject arguments that cannot be combined.

    :raises CommandError: also if the command would have to ask, and cannot.
    """
    if not parsed_args.plan_first:
        if parsed_args.yes:
            raise exceptions.CommandError(
                'argument --yes: only allowed with argument --plan-first')
        return
    for name in ('plan', 'dry_run', 'files_container'):
        if getattr(parsed_args, name):
            raise exceptions.CommandError(
                'argument --plan-first: not allowed with argument '
                f'--{name.replace("_", "-")}')
    if not parsed_args.yes and not app.stdin.isatty():
        raise exceptions.CommandError(_NO_TERMINAL % '')


def make_request(manager, request, parsed_args, app):
    """Show the plan of an update, and return the request to apply it.

    :param manager: heatclient's StackManager.
    :param request: the arguments of StackManager.update.
    :returns: the arguments with the plan, or None if nothing is to change.
    :raises CommandError: if the update would be stopped, or is not confirmed.
    """
    changes = manager.preview_update(**request)['resource_changes']
    if 'plan' not in changes:
        raise exceptions.CommandError(error_message.MISSING_PLANS)
    plan.check_source(changes)
    entries, stops = changes['plan'], changes['plan_stops']
    plan.print_tree(app.stderr, parsed_args.stack, entries, stops)
    if plan_tree.is_stopped(entries, stops):
        raise exceptions.CommandError(_STOPPED)
    # The plan cannot show what --converge changes.
    if not (any(map(plan_tree.is_change, entries))
            or changes['plan_changes_stack'] or request.get('converge')):
        print(_NOTHING_TO_DO, file=app.stderr)
        return None
    if not parsed_args.yes:
        _confirm(app, _NOT_CONFIRMED)
    return plan_file.add_plan(request, changes[plan_file.SOURCE], entries,
                              stops)


def confirm_deletion(parsed_args, app):
    """Show the plan of the deletion of each stack, and ask.

    :raises CommandError: if Heat would reject a deletion, if it is not
        confirmed, or if a plan changes before the answer.
    """
    if not parsed_args.yes and not app.stdin.isatty():
        raise exceptions.CommandError(_NO_TERMINAL % ' --delete')
    client = app.client_manager.orchestration
    plans = {stack: plan.preview_deletion(client, stack)
             for stack in parsed_args.stack}
    for stack, (entries, stops) in plans.items():
        plan.print_tree(app.stderr, stack, entries, stops)
    if any(plan_tree.is_stopped(*each) for each in plans.values()):
        raise exceptions.CommandError(_DELETION_STOPPED)
    if parsed_args.yes:
        return
    _confirm(app, _DELETION_NOT_CONFIRMED)
    for stack, shown in plans.items():
        if plan.preview_deletion(client, stack) != shown:
            raise exceptions.CommandError(_CHANGED % stack)


def _confirm(app, not_confirmed):
    print(_QUESTION, end='', file=app.stderr, flush=True)
    try:
        answer = app.stdin.readline()
    except KeyboardInterrupt:
        print(f'\n{not_confirmed}', file=app.stderr)
        raise
    if not answer:
        # The end of the input has no line break.
        print(file=app.stderr)
    if answer.strip().lower() not in ('y', 'yes'):
        raise exceptions.CommandError(not_confirmed)
