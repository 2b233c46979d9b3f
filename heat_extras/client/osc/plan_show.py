# SPDX-License-Identifier: Apache-2.0

"""``openstack stack plan show``."""

from heatclient.common import utils
from heatclient import exc
from osc_lib.command import command
from osc_lib import exceptions

from heat_extras.client import error_message
from heat_extras.client.osc import plan
from heat_extras.client import plan_file
from heat_extras.client import plan_tree
from heat_extras.output import help_text
from heat_extras.output import lister


class ShowPlan(command.ShowOne):
    """Show a plan from a file, and check whether it still fits.

    Heat checks that the file is what "stack plan --out" has written, and that
    the update or the creation would still do what the plan shows. Nothing is
    changed.

    The exit status is 0 if the plan fits, or if it is not checked because of
    --offline. The exit status is 1 if the plan does not fit, if it cannot be
    checked, or if the file cannot be read.

    Examples:

      Show a plan, and check whether it still fits:
        openstack stack plan show web.plan

      Show a plan without Heat:
        openstack stack plan show web.plan --offline

      Show a plan to a program:
        openstack stack plan show web.plan -f json
    """

    # Not for --offline.
    auth_required = False

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument('file', metavar='<file>',
                            help='File that "stack plan --out" has written')
        parser.add_argument(
            '--offline', action='store_true',
            help='Only show the plan. Needs no authentication')
        parser.add_argument(
            '--parameter', metavar='<key=value>', action='append',
            help='New value of a hidden parameter, which is not in the file. '
                 'Can be repeated')
        parser.add_argument(
            '--parameter-file', metavar='<key=file>', action='append',
            help='The same, with the value in a file')
        help_text.use_docstring(parser, self.get_description())
        return parser

    def run(self, parsed_args):
        """Show the plan; overrides cliff.display.DisplayCommandBase."""
        return super().run(parsed_args) or (
            0 if self.problem is None else plan.STOPPED)

    def take_action(self, parsed_args):
        """Read and check the plan; overrides cliff.command.Command."""
        try:
            self.document = plan_file.read(parsed_args.file)
            self.problem = None if parsed_args.offline else (
                self._find_problem(parsed_args))
        except plan_file.PlanFileError as error:
            raise exceptions.CommandError(str(error)) from None
        fits = None if parsed_args.offline else self.problem is None
        return (plan.PLAN, plan.STOPS, 'fits', 'problem'), (
            self.document[plan.PLAN], self.document[plan.STOPS], fits,
            self.problem)

    def _find_problem(self, parsed_args):
        """Return why it cannot be done as planned, or None."""
        # Authenticate, as before a command that requires it.
        self.auth_required = True
        self.app.prepare_to_run_command(self)
        parameters = utils.format_all_parameters(
            parsed_args.parameter, plan.with_urls(parsed_args.parameter_file))
        manager = self.app.client_manager.orchestration.stacks
        request = plan_file.make_request(self.document, parameters)
        try:
            changes = (
                manager.preview(**request).to_dict()
                if plan_file.is_creation(self.document) else
                manager.preview_update(**request)['resource_changes'])
        except (exc.HTTPBadRequest, exc.HTTPConflict,
                exc.HTTPNotFound) as error:
            return plan.describe_rejection(error, request)
        if plan.PLAN not in changes:
            return error_message.MISSING_CREATE_PLANS
        return ' '.join(
            plan_tree.format_stop(stop) for stop in plan_tree.all_stops(
                changes[plan.PLAN], changes[plan.STOPS])
            if stop['certainty'] == 'will') or None

    def produce_output(self, parsed_args, column_names, data):
        """Print a tree, or another format without changes."""
        if parsed_args.formatter != lister.TABLE:
            return super().produce_output(parsed_args, column_names, data)
        name = plan_tree.make_printable(self.document['stack']['name'])
        entries, stops, *_ = data
        is_creation = plan_file.is_creation(self.document)
        if is_creation:
            print('This is the plan of a new stack:', file=self.app.stdout)
        try:
            plan.print_tree(self.app.stdout, name, entries, stops)
        except (AttributeError, KeyError, RecursionError, TypeError):
            raise exceptions.CommandError(
                f'The plan {parsed_args.file} cannot be shown, because it was '
                'edited. Make a new plan.') from None
        if parsed_args.offline:
            verdict = 'The plan was not checked, because of --offline.'
        elif self.problem is None:
            verdict = 'The plan fits. ' + plan.how_to_apply(
                is_creation, parsed_args.file, name)
        else:
            verdict = f'The plan does not fit. {self.problem}'
        print(plan_tree.make_printable(verdict), file=self.app.stderr)
        return 0
