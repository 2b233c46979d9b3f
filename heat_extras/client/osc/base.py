# SPDX-License-Identifier: Apache-2.0

"""The base classes of the commands."""

import signal

from cliff import show
from osc_lib import exceptions

from heat_extras.cli import help_text
from heat_extras.cli import tables
from heat_extras.client import actions
from heat_extras.client import error_message
from heat_extras.client.osc import lister
from heat_extras.client import stack_action

# The exit status of shells and of cliff.app.App.
INTERRUPTED = 128 + signal.SIGINT


class SeveralLister(lister.SafeLister):
    """List the result of each item, and exit with 1 if an item failed.

    If the only item has failed, show only the error.
    """

    #: The number of items, which take_action sets. An item can have several
    #: rows. A failed item can have no row.
    number = 0

    def run(self, parsed_args):
        # cliff.display.DisplayCommandBase.run prints the rows and returns 0,
        # even if items failed.
        self.has_failed = False
        code = super().run(parsed_args)
        return 1 if self.has_failed else code

    def produce_output(self, parsed_args, column_names, data):
        """Print the rows. Overrides lister.SafeLister.produce_output."""
        data = list(data)
        if (self.has_failed and not (data and self.number > 1)
                and parsed_args.formatter == lister.TABLE):
            return 0
        return super().produce_output(parsed_args, column_names, data)

    def fail(self, kind, name, text):
        """Print an error, and set the exit status to 1."""
        self.has_failed = True
        self.print_to_stderr(error_message.add_name(kind, name, text))


class StacksCommand(SeveralLister):
    """Process each selected stack, and continue after an error."""

    action: actions.Action
    #: The fields of each stack, and the names of their columns. The last
    #: column is the result.
    fields: tuple[str, ...]
    names: tuple[str, ...]
    #: Each stack_action.StackAction of the run.
    done: list[stack_action.StackAction]

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        help_text.use_docstring(parser)
        self.action.add_arguments(parser)
        parser.set_defaults(wait=False)
        return parser

    def run(self, parsed_args):
        """Process the stacks. Overrides SeveralLister.run."""
        self.is_interrupted, self.done = False, []
        code = super().run(parsed_args)
        return INTERRUPTED if self.is_interrupted else code

    def take_action(self, parsed_args):
        """Send a request for each stack, until the user presses Ctrl-C."""
        left = self.select_stacks(parsed_args)
        while left and not self.is_interrupted:
            self._process(left.pop(0), parsed_args)
        if left:
            self.print_to_stderr('No request was sent for these stacks: '
                                 + ', '.join(each.name for each in left))
        return self.names, [
            (*map(each.shown.get, self.fields), each.result)
            for each in self.done]

    @property
    def heat(self):
        """Return the client of python-heatclient."""
        return self.app.client_manager.orchestration

    def produce_output(self, parsed_args, column_names, data):
        """Show a single stack field by field, as "stack show" does."""
        data = list(data)
        if (len(self.done) != 1 or self.has_failed or parsed_args.columns
                or parsed_args.formatter != lister.TABLE):
            return super().produce_output(parsed_args, column_names, data)
        parsed_args.max_width = tables.table_width(parsed_args,
                                                   self.app.stdout)
        return show.ShowOne.produce_output(
            self, parsed_args, column_names,
            self.make_safe(data, lister.TABLE)[0])

    def select_stacks(self, parsed_args):
        """List the stacks that the command line selects."""
        try:
            chosen = stack_action.select(self.heat, parsed_args)
        except stack_action.FAILURES as error:
            raise exceptions.CommandError(
                error_message.describe(error)) from error
        self.number = len(chosen)
        return chosen

    def _process(self, chosen, parsed_args):
        done = stack_action.StackAction(self.heat, chosen, self.action)
        done.run(parsed_args, self.app.stderr if parsed_args.wait else None)
        if done.failure:
            self.fail('stack', chosen.name, done.failure)
        self.is_interrupted = done.is_interrupted
        for line in done.remarks():
            self.print_to_stderr(line)
        self.done.append(done)
