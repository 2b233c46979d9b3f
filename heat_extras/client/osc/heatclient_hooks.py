# SPDX-License-Identifier: Apache-2.0

"""Change ``openstack stack show`` and other commands of heatclient.

cliff calls the hooks of a command. They change only tables, and other formats
only with ``-c Lock``, so that programs can still parse them.
"""

import argparse

from cliff import hooks
from heatclient import exc
from osc_lib import exceptions

from heat_extras.client import error_message
from heat_extras.client import lock_warnings
from heat_extras.client import managers
from heat_extras.client.osc import plan
from heat_extras.client.osc import plan_first
from heat_extras.client import plan_file
from heat_extras.output import lister
from heat_extras import sanitize

# The rows that follow the status, in this order. heatclient itself prints the
# fields of heat-extras after the outputs and links, without an order.
_OF_LOCK = ('lock_level', 'lock_status', 'lock_status_reason', 'lock_id',
            'lock_reason', 'locked_by', 'locked_at', 'lock_expires_at',
            'lock_pass', 'prior_stack_status', 'updatable')
_PROTECTED = 'delete_protected'
_OF_PROTECTION = (_PROTECTED, 'delete_protection_resources',
                  'delete_protected_by', 'delete_protected_at',
                  'delete_protection_reason')
_BEFORE = 'stack_status_reason'
_PLAN = 'plan'
_ROW, _COLUMN = 'lock', 'Lock'

# The arguments of an update or a creation that a plan contains, with their
# defaults.
_IN_PLAN = {
    'template': None, 'files_container': None, 'environment': None,
    'pre_update': None, 'pre_create': None, 'timeout': None,
    'rollback': 'keep', 'enable_rollback': False, 'dry_run': False,
    'existing': False, 'clear_parameter': None, 'tags': None,
    'converge': False}

# heatclient requires a template, and reads it before it sends a request.
_NO_TEMPLATE = 'data:,heat_template_version:%202018-08-31'


class _Hook(hooks.CommandHook):

    def get_parser(self, parser):
        """Add no argument. Overrides cliff.hooks.CommandHook."""
        return parser

    def get_epilog(self):
        """Add no text to the help. Overrides cliff.hooks.CommandHook."""
        return ''

    def before(self, parsed_args):
        """Keep the arguments. Overrides cliff.hooks.CommandHook."""
        return parsed_args

    def after(self, parsed_args, answer):
        """Keep the answer. Overrides cliff.hooks.CommandHook."""
        return answer


class _TableHook(_Hook):
    """Changes only tables."""

    def after(self, parsed_args, answer):
        """Change a table.

        :param answer: the columns and the data that heatclient prints.
        """
        return (self.change(*answer)
                if parsed_args.formatter == lister.TABLE else answer)


class ShowStack(_TableHook):
    """Show the lock of a stack after its status."""

    def change(self, names, values):
        """Group the fields of a lock below a sentence about the lock."""
        fields = dict(zip(names, values, strict=True))
        if managers.LOCK_LEVEL not in fields or _BEFORE not in fields:
            return names, values
        if fields[managers.LOCK_LEVEL] is not None:
            fields[_ROW] = sanitize.printable(
                lock_warnings.describe_lock(fields),
                sanitize.encoding_of(self.cmd.app.stdout))
        shown_fields = [name for name in (_ROW, *_OF_LOCK, *_OF_PROTECTION)
                        if name in fields]
        order = [name for name in fields if name not in shown_fields]
        place = order.index(_BEFORE) + 1
        order[place:place] = shown_fields
        return tuple(order), tuple(fields[name] for name in order)


class _PlanOfCreation(argparse.Action):
    """Require neither a name nor a template, which are in the plan."""

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)
        # cliff calls hooks before the command has added its arguments.
        for action in parser._actions:
            if action.dest in ('name', 'template'):
                action.required = False


class CreateStack(_TableHook):
    """Send a reviewed plan, and leave a plan out of the table of a dry run."""

    def get_parser(self, parser):
        """Add an argument."""
        parser.add_argument(
            '--plan', metavar='<file>', action=_PlanOfCreation,
            help='Create the stack as planned in this file, which "openstack '
                 'stack plan --out" has written. Heat rejects the creation if '
                 'it would differ from the plan. No name and no template are '
                 'required. Of the other options, only --wait, --poll, '
                 '--parameter and --parameter-file are allowed. Use '
                 '--parameter and --parameter-file only for values of hidden '
                 'parameters')
        return parser

    def before(self, parsed_args):
        """Let the command send the request of the plan."""
        manager = self.cmd.app.client_manager.orchestration.stacks
        vars(manager).pop('create', None)
        if parsed_args.plan is not None:
            document = _read_plan(parsed_args, is_creation=True)
            name = document['stack']['name']
            if parsed_args.name not in (None, name):
                raise exceptions.CommandError(
                    f'The plan is for a new stack {sanitize.printable(name)}, '
                    f'not for {parsed_args.name}.')
            parsed_args.name, parsed_args.template = name, _NO_TEMPLATE
            manager.create = _planned_request(manager, 'create', document)
        return parsed_args

    def change(self, names, values):
        return tuple(zip(*(
            pair for pair in zip(names, values, strict=True)
            if not pair[0].startswith(_PLAN)), strict=True))


class ListStacks(_Hook):
    """Add a column for locks to the list of stacks."""

    def get_parser(self, parser):
        """Add a filter."""
        parser.add_argument(
            '--delete-protected', action='store_true',
            help='List only stacks that are protected from deletion')
        return parser

    def before(self, parsed_args):
        """Record and filter the stacks that heatclient lists."""
        self.levels = {}
        self.is_wanted = (_is_delete_protected if parsed_args.delete_protected
                          else lambda body: True)
        if self._may_show(parsed_args) or parsed_args.delete_protected:
            manager = self.cmd.app.client_manager.orchestration.stacks
            manager.list = self._recording_list(manager)
        return parsed_args

    def _may_show(self, parsed_args):
        return (parsed_args.formatter == lister.TABLE
                or _COLUMN in parsed_args.columns)

    def _recording_list(self, manager):
        def list_stacks(**filters):
            # Restore the method, because an interactive client uses the
            # manager for other commands.
            vars(manager).pop('list', None)
            for stack in manager.list(**filters):
                body = stack.to_dict()
                if self.is_wanted(body):
                    self.levels[body.get('id')] = _level_text(body)
                    yield stack
        return list_stacks

    def after(self, parsed_args, answer):
        """Add a column if a stack is locked, or if ``-c`` names it."""
        if not self._may_show(parsed_args):
            return answer
        names, rows = answer[0], list(answer[1])
        if 'ID' not in names or not (_COLUMN in parsed_args.columns
                                     or any(self.levels.values())):
            return names, rows
        place = list(names).index('ID')
        return (*names, _COLUMN), [
            (*row, self.levels.get(row[place]) or '') for row in rows]


class UpdateStack(_Hook):
    """Send a reviewed plan with an update."""

    def get_parser(self, parser):
        """Add an argument."""
        parser.add_argument(
            '--plan', metavar='<file>',
            help='Update the stack as planned in this file, which "openstack '
                 'stack plan --out" has written. Heat rejects the update if '
                 'it would differ from the plan. Of the other options, only '
                 '--wait, --parameter and --parameter-file are allowed. Use '
                 '--parameter and --parameter-file only for values of hidden '
                 'parameters')
        plan_first.add_arguments(parser)
        return parser

    def before(self, parsed_args):
        """Let the command send the request of the plan."""
        manager = self.cmd.app.client_manager.orchestration.stacks
        # In an interactive client, an earlier command may have failed before
        # it sent its plan.
        vars(manager).pop('update', None)
        plan_first.check_arguments(parsed_args, self.cmd.app)
        if parsed_args.plan_first:
            manager.update = self._confirmed_update(manager, parsed_args)
        if parsed_args.plan is None:
            return parsed_args
        document = _read_plan(parsed_args, is_creation=False)
        try:
            plan_file.check_stack(document, parsed_args.stack)
        except plan_file.PlanFileError as error:
            raise exceptions.CommandError(str(error)) from None
        # heatclient requires a template otherwise.
        parsed_args.existing = True
        manager.update = _planned_request(manager, 'update', document)
        return parsed_args

    def _confirmed_update(self, manager, parsed_args):
        def update(**fields):
            del manager.update
            request = plan_first.make_request(manager, fields, parsed_args,
                                              self.cmd.app)
            if request is None:
                # The command would wait for the end of an update.
                parsed_args.wait = False
                return None
            return _send_plan(manager.update, request)
        return update


class DeleteStack(_Hook):
    """Show the plan of a deletion before it."""

    def get_parser(self, parser):
        """Add an argument."""
        parser.add_argument(
            '--plan-first', action='store_true',
            help='Show what happens to each resource, and what would stop the '
                 'deletion, and ask whether to make these changes. With '
                 '--yes, do not ask')
        return parser

    def before(self, parsed_args):
        """Show the plans, and ask once for all stacks."""
        if parsed_args.plan_first:
            plan_first.confirm_deletion(parsed_args, self.cmd.app)
            parsed_args.yes = True
        return parsed_args


def _read_plan(parsed_args, is_creation):
    for name, default in _IN_PLAN.items():
        if getattr(parsed_args, name, default) != default:
            raise exceptions.CommandError(
                f'argument --{name.replace("_", "-")}: not allowed with '
                'argument --plan, because the plan file already contains the '
                f'arguments of the {"creation" if is_creation else "update"}')
    try:
        document = plan_file.read(parsed_args.plan)
    except plan_file.PlanFileError as error:
        raise exceptions.CommandError(str(error)) from None
    if plan_file.is_creation(document) != is_creation:
        kind = 'an update' if is_creation else 'a new stack'
        raise exceptions.CommandError(
            f'The plan {parsed_args.plan} is the plan of {kind}. '
            + plan.how_to_apply(not is_creation, parsed_args.plan,
                                sanitize.printable(document['stack']['name'])))
    parsed_args.parameter_file = plan.with_urls(parsed_args.parameter_file)
    return document


def _planned_request(manager, method, document):
    def send(parameters=None, **fields):
        # Restore the method, because an interactive client uses the manager
        # for other commands.
        vars(manager).pop(method)
        try:
            request = plan_file.make_request(document, parameters or {})
        except plan_file.PlanFileError as error:
            raise exceptions.CommandError(str(error)) from None
        return _send_plan(getattr(manager, method), request)
    return send


def _send_plan(send, request):
    try:
        return send(**request)
    except (exc.HTTPBadRequest, exc.HTTPNotFound) as error:
        if not plan.needs_explanation(error):
            raise
        raise exceptions.CommandError(
            plan.describe_rejection(error, request)) from None


class SignalResource(_Hook):
    """Warn that a signal may be ignored because of a lock or a freeze."""

    def after(self, parsed_args, answer):
        """Check the stack after the signal."""
        stream = self.cmd.app.stderr
        for line in lock_warnings.signal_warnings(
                self.cmd.app.client_manager.orchestration, parsed_args.stack):
            print(sanitize.printable(line, sanitize.encoding_of(stream)),
                  file=stream)
        return answer


def _is_delete_protected(body):
    if _PROTECTED not in body:
        raise exceptions.CommandError(error_message.MISSING_PROTECTION)
    return body[_PROTECTED]


def _level_text(stack):
    """Return the level of a stack's lock, with its status if unusual."""
    level, status = stack.get(managers.LOCK_LEVEL), stack.get(managers.STATUS)
    return (level if level is None or status == 'LOCK_COMPLETE'
            else f'{level} ({status})')
