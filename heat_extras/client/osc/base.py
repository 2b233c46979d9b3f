# SPDX-License-Identifier: Apache-2.0

"""The base classes of the commands."""

import signal

from heat_extras.client import actions
from heat_extras.client import error_message
from heat_extras.client import stack_action
from heat_extras.output import lister

# The exit status of shells and of cliff.app.App.
INTERRUPTED = 128 + signal.SIGINT


class SeveralLister(lister.SafeLister):
    """List the result of each item, and exit with 1 if an item failed.

    After Ctrl-C, exit with 130.

    If the only item has failed, show only the error.
    """

    #: The number of items, which take_action sets. An item can have several
    #: rows. A failed item can have no row.
    number = 0
    #: The begin of each error.
    error_prefix = ''

    def run(self, parsed_args):
        # cliff.display.DisplayCommandBase.run prints the rows and returns 0,
        # even if items failed.
        self.has_failed = self.is_interrupted = False
        code = super().run(parsed_args)
        if self.is_interrupted:
            return INTERRUPTED
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
        self.print_to_stderr(
            self.error_prefix + error_message.add_name(kind, name, text))


class StacksCommand(SeveralLister):
    """Process each selected stack, and continue after an error."""

    action: actions.Action
    #: The fields of each stack, and the names of their columns. The last
    #: column is the result.
    fields: tuple[str, ...]
    names: tuple[str, ...]
    #: Each stack_action.StackAction that sent a request or failed.
    done: list[stack_action.StackAction]
    hints = stack_action.OPENSTACK

    def add_arguments(self, parser):
        self.action.add_arguments(parser)

    def run(self, parsed_args):
        """Process the stacks. Overrides SeveralLister.run."""
        self.done = []
        try:
            return super().run(parsed_args)
        except SystemExit as error:
            # A usage error must not end an interactive client.
            return error.code

    def take_action(self, parsed_args):
        """Send a request for each stack, until the user presses Ctrl-C."""
        actions = [
            stack_action.StackAction(self.heat, each, self.action, self.hints)
            for each in self.select_stacks(parsed_args)]
        for done in stack_action.run_each(actions, parsed_args,
                                          self.app.stderr):
            self._report(done)
        self.is_interrupted |= any(each.is_interrupted for each in actions)
        if line := stack_action.not_sent(actions):
            self.print_to_stderr(line)
        return self.names, [
            (*map(each.shown.get, self.fields), each.result)
            for each in self.done]

    def produce_output(self, parsed_args, column_names, data):
        """Show a single stack field by field, as "stack show" does."""
        data = list(data)
        is_table = parsed_args.formatter == lister.TABLE
        if is_table and self.is_interrupted and not data:
            return 0
        if (not is_table or parsed_args.columns or len(self.done) != 1
                or self.has_failed and not self.done[0].is_kept):
            return super().produce_output(parsed_args, column_names, data)
        return self.print_fields(parsed_args, column_names, *data)

    def select_stacks(self, parsed_args):
        """List the stacks that the command line selects."""
        try:
            with error_message.command_errors():
                chosen = stack_action.select(self.heat, parsed_args)
        except KeyboardInterrupt:
            self.print_to_stderr('No request was sent.')
            self.is_interrupted, chosen = True, []
        self.number = len(chosen)
        return chosen

    def _report(self, done):
        if done.failure:
            self.fail('stack', done.stack, done.failure)
        for line in done.remarks():
            self.print_to_stderr(line)
        self.done.append(done)
