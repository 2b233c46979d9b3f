# SPDX-License-Identifier: Apache-2.0

"""``openstack stack plan``."""

import functools
import os
import re
import shlex
import sys

from heatclient.common import utils
from heatclient import exc
from osc_lib.command import command
from osc_lib import exceptions

from heat_extras.client import error_message
from heat_extras.client import managers
from heat_extras.client import plan_file
from heat_extras.client import plan_tree
from heat_extras.output import help_text
from heat_extras.output import lister
from heat_extras.plan import reviewed_request
from heat_extras import sanitize

NO_CHANGES, STOPPED, CHANGES = 0, 1, 2

PLAN, STOPS, _VALUES = 'plan', 'plan_stops', 'values'

# The arguments that only updates can have, with their defaults.
_OF_UPDATES = {'existing': False, 'converge': False, 'clear_parameter': None,
               'pre_update': None}
# The arguments that updates and creations can have, with their defaults.
_OF_TEMPLATES = {'template': None, 'files_container': None,
                 'environment': None, 'parameter': None,
                 'parameter_file': None, 'timeout': None, 'rollback': 'keep',
                 'tags': None, 'out': None, 'create': False}

_STACK_ID = re.compile('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')


class PlanStack(command.ShowOne):
    """Show what an update of a stack would do, without a change.

    It has the arguments of "stack update". If no stack has the name, the
    command shows what the creation of a stack with this name would do. With
    --delete, it shows what the deletion of the stack would do.

    The tree shows resources that are added (+), updated (~), replaced (-/+),
    removed (-) or retained (=). A question mark after the symbol means that
    this may happen, and a question mark alone that it is not known. Below a
    resource are the values that change. Values that can come from hidden
    parameters are replaced by "(hidden)".

    The exit status is 0 if there are no changes, 2 if there are changes, and
    1 if the update or deletion would be rejected or would fail, and after an
    error, also of the command line.

    Examples:

      Plan an update of one parameter:
        openstack stack plan web --existing --parameter size=3

      Plan a new stack, for a program:
        openstack stack plan new -t new.yaml --create -f json

      Write the plan to a file for "openstack stack update --plan":
        openstack stack plan web -t new.yaml --out web.plan
    """

    def get_parser(self, prog_name):
        # Imported here because it imports all of OpenStackClient.
        from heatclient.osc.v1 import stack
        self.update = stack.UpdateStack(self.app, None)
        parser = self.update.get_parser(prog_name)
        parser.add_argument(
            '--out', metavar='<file>',
            help='Also write the plan to a file for "openstack stack update '
                 '--plan", or for "openstack stack create --plan" if the '
                 'stack is new. Not allowed with --files-container')
        parser.add_argument(
            '--no-values', dest='values', action='store_false',
            help='Show only the names of properties that change, not their '
                 'values before and after the update')
        parser.add_argument(
            '--create', action='store_true',
            help='Plan a new stack, and fail if a stack has the name. Without '
                 'this option, the command plans a new stack only if no stack '
                 'has the name. Not allowed with --existing, --converge, '
                 '--clear-parameter and --pre-update')
        parser.add_argument(
            '--delete', action='store_true',
            help='Show what the deletion of the stack would do. Not allowed '
                 'with arguments of updates and creations')
        help_text.use_docstring(parser, self.get_description())
        parser.error = functools.partial(_exit_with_usage, parser)
        return parser

    def run(self, parsed_args):
        """Show the plan; overrides cliff.display.DisplayCommandBase."""
        return super().run(parsed_args) or self.status

    def take_action(self, parsed_args):
        """Preview the update; overrides cliff.command.Command."""
        if parsed_args.out is not None and parsed_args.files_container:
            raise exceptions.CommandError(
                'argument --out: not allowed with argument --files-container, '
                'because files in a container can change after the plan is '
                'made')
        if not parsed_args.stack:
            # heatclient would print the error "None".
            raise exceptions.CommandError(str(managers.EmptyName('stack')))
        if parsed_args.delete:
            return self._plan_deletion(parsed_args)
        parsed_args.dry_run, parsed_args.show_nested = True, False
        manager = self.app.client_manager.orchestration.stacks
        self._check_template(parsed_args, manager)
        manager.preview_update = functools.partial(
            self._preview, parsed_args, manager, manager.preview_update)
        try:
            self.update.take_action(parsed_args)
        finally:
            del manager.preview_update
        if PLAN not in self.changes:
            raise exceptions.CommandError(
                error_message.MISSING_CREATE_PLANS if self.is_creation
                else error_message.MISSING_PLANS)
        plan, stops = self.changes[PLAN], self.changes[STOPS]
        self.status = (
            STOPPED if plan_tree.is_stopped(plan, stops) else
            CHANGES if self.is_creation or any(map(plan_tree.is_change, plan))
            else NO_CHANGES)
        if parsed_args.out is not None:
            try:
                self._write(parsed_args, manager)
            except plan_file.PlanFileError as error:
                raise exceptions.CommandError(str(error)) from None
        if not parsed_args.values:
            plan = [{key: entry[key] for key in entry if key != _VALUES}
                    for entry in plan]
        return (PLAN, STOPS), (plan, stops)

    def _plan_deletion(self, parsed_args):
        for option, default in {**_OF_UPDATES, **_OF_TEMPLATES}.items():
            if (getattr(parsed_args, option) or default) != default:
                raise exceptions.CommandError(
                    f'argument --{option.replace("_", "-")}: not allowed with '
                    'argument --delete')
        self.is_creation = False
        plan, stops = preview_deletion(
            self.app.client_manager.orchestration, parsed_args.stack)
        self.status = (STOPPED if plan_tree.is_stopped(plan, stops)
                       else CHANGES)
        return (PLAN, STOPS), (plan, stops)

    def _check_template(self, parsed_args, manager):
        # heatclient's error would not say that there is no such stack.
        if parsed_args.template is not None or parsed_args.existing:
            return
        if not parsed_args.create:
            try:
                manager.get(parsed_args.stack)
                return
            except exc.HTTPNotFound:
                if _is_id(parsed_args.stack):
                    raise
        raise _creation_error(parsed_args, 'template', 'required')

    def _preview(self, parsed_args, manager, original, **fields):
        if parsed_args.converge:
            # heatclient sends it only with an update.
            fields['converge'] = True
        self.request, self.is_creation = fields, parsed_args.create
        if not self.is_creation:
            try:
                answer = original(**fields)
                self.changes = answer['resource_changes']
                return answer
            except exc.HTTPNotFound:
                if _is_id(parsed_args.stack):
                    raise
                self.is_creation = True
        self.changes = self._preview_creation(parsed_args, manager)
        return {}

    def _preview_creation(self, parsed_args, manager):
        for option, default in _OF_UPDATES.items():
            if getattr(parsed_args, option) != default:
                raise _creation_error(parsed_args, option, 'not allowed')
        self.request = {
            'disable_rollback': True,
            **{key: value for key, value in self.request.items()
               if key not in ('stack_id', 'existing')}}
        return manager.preview(stack_name=parsed_args.stack,
                               **self.request).to_dict()

    def _write(self, parsed_args, manager):
        check_source(self.changes)
        if self.is_creation:
            stack, request = {
                'id': None, 'stack_name': parsed_args.stack}, self.request
        else:
            stack = manager.get(parsed_args.stack).to_dict()
            request = {'converge': False, **self.request}
        plan_file.write(parsed_args.out, plan_file.make(stack, request,
                                                        self.changes))
        next_step = (
            'Heat would reject or stop this '
            f'{"creation" if self.is_creation else "update"}.'
            if self.status == STOPPED else
            how_to_apply(self.is_creation, parsed_args.out, parsed_args.stack))
        print(f'The plan was written to {parsed_args.out}. {next_step}',
              file=self.app.stderr)

    def produce_output(self, parsed_args, column_names, data):
        """Print a tree, or another format without changes."""
        is_table = parsed_args.formatter == lister.TABLE
        if self.is_creation:
            print(f'Stack {parsed_args.stack} does not exist. This is the '
                  'plan of its creation:',
                  file=self.app.stdout if is_table else self.app.stderr)
        if not is_table:
            return super().produce_output(parsed_args, column_names, data)
        plan, stops = data
        print_tree(self.app.stdout, parsed_args.stack, plan, stops,
                   parsed_args.values)
        return NO_CHANGES


def preview_deletion(client, stack):
    """Return the plan of a deletion, and its stops.

    :param client: a heatclient.v1 Client.
    :param stack: name or ID.
    :raises CommandError: if this Heat makes no plans of deletions.
    """
    try:
        body = managers.PlanManager(client).preview_delete(stack)
    except error_message.FAILURES as error:
        raise exceptions.CommandError(error_message.describe(
            error, error_message.MISSING_DELETE_PLANS)) from None
    return body[PLAN], body[STOPS]


def how_to_apply(is_creation, path, name):
    """Return the command that applies a plan file."""
    action, command = (('To create this stack', 'create') if is_creation
                       else ('To do this update', 'update'))
    return (f'{action}: openstack stack {command} --plan {shlex.quote(path)} '
            f'{shlex.quote(name)}')


def print_tree(stream, name, plan, stops, with_values=True):
    """Print all lines of a plan, or none if the plan has another form.

    The parameters are those of :func:`plan_tree.format_lines`.
    """
    colored = stream.isatty() and not os.environ.get('NO_COLOR')
    for line in [*plan_tree.format_lines(
            name, plan, stops, colored, sanitize.encoding_of(stream),
            with_values)]:
        print(line, file=stream)


def check_source(changes):
    """Check that Heat can apply a plan.

    :param changes: the fields of a preview.
    :raises CommandError: if not. An older engine makes no seal.
    """
    if reviewed_request.SEAL not in (changes.get(plan_file.SOURCE) or ()):
        raise exceptions.CommandError(error_message.MISSING_PLAN_FILES)


def describe_rejection(error, request):
    """Explain why Heat rejects a request with a plan, or its check.

    :param error: an exception of heatclient.
    :param request: the arguments of StackManager.update or create.
    """
    if _is_unknown_plan(error):
        return f'Nothing was changed: {error_message.MISSING_PLAN_FILES}'
    text = error_message.describe(error)
    if isinstance(error, exc.HTTPNotFound) and 'stack_id' in request:
        text += (f' The plan is for stack {request["stack_id"]}: check that '
                 'this stack exists. A new stack with the same name needs a '
                 'new plan.')
    return text


def needs_explanation(error):
    """Return whether the message of Heat does not explain an error."""
    return isinstance(error, exc.HTTPNotFound) or _is_unknown_plan(error)


def _is_unknown_plan(error):
    # An engine that does not know plans does not accept
    # reviewed_request.ONLY_WITH_PLAN.
    return (isinstance(error, exc.HTTPBadRequest)
            and error_message.fault_type(error) == 'ValueError')


def with_urls(parameter_files):
    """Return arguments --parameter-file with URLs.

    Without a template, heatclient reads files of parameters only from URLs.
    """
    return [name + separator + (
                path and utils.normalise_file_path_to_url(path))
            for name, separator, path in (
                each.partition('=') for each in parameter_files or ())]


def _is_id(name):
    """Return whether a text is the ID of a stack, and no name."""
    return '/' in name or _STACK_ID.fullmatch(name)


def _creation_error(parsed_args, option, text):
    reason = ('' if parsed_args.create
              else f', and stack {parsed_args.stack} does not exist')
    return exceptions.CommandError(
        f'argument --{option.replace("_", "-")}: {text} for the plan of a new '
        f'stack{reason}')


def _exit_with_usage(parser, message):
    # The status of argparse means changes here.
    parser.print_usage(sys.stderr)
    parser.exit(STOPPED, f'{parser.prog}: error: {message}\n')
