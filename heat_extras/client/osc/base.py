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

# As shells have it, and cliff.app.App.
INTERRUPTED = 128 + signal.SIGINT


class SeveralLister(lister.SafeLister):
    """List a result for each, and exit with 1 when one has failed.

    Of a single one that has failed there is nothing to show but the error.
    """

    #: How many the command is about; take_action counts them. One can have
    #: several rows, or a failed one no row.
    number = 0

    def run(self, parsed_args):
        # cliff.display.DisplayCommandBase.run prints the rows and returns 0,
        # whatever take_action met on its way.
        self.has_failed = False
        code = super().run(parsed_args)
        return 1 if self.has_failed else code

    def produce_output(self, parsed_args, column_names, data):
        """Print the rows; overrides lister.SafeLister.produce_output."""
        data = list(data)
        if (self.has_failed and not (data and self.number > 1)
                and parsed_args.formatter == lister.TABLE):
            return 0
        return super().produce_output(parsed_args, column_names, data)

    def fail(self, kind, name, text):
        """Report a failure, now and by the exit status."""
        self.has_failed = True
        self.say(error_message.about(kind, name, text))


class StacksCommand(SeveralLister):
    """Process each selected stack; continue after an error."""

    action: actions.Action
    #: What is shown of each stack, and the names of the columns, of which
    #: there is one more for the result.
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
        """Work; overrides SeveralLister.run."""
        self.is_interrupted, self.done = False, []
        code = super().run(parsed_args)
        return INTERRUPTED if self.is_interrupted else code

    def take_action(self, parsed_args):
        """Send a request for each stack, until the user presses Ctrl-C."""
        left = self.choose(parsed_args)
        while left and not self.is_interrupted:
            self._work(left.pop(0), parsed_args)
        if left:
            self.say('No request was sent for: '
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
        parsed_args.max_width = tables.room(parsed_args, self.app.stdout)
        return show.ShowOne.produce_output(
            self, parsed_args, column_names,
            self.make_safe(data, lister.TABLE)[0])

    def choose(self, parsed_args):
        """List the stacks that are meant."""
        try:
            chosen = stack_action.select(self.heat, parsed_args)
        except stack_action.FAILURES as error:
            raise exceptions.CommandError(
                error_message.describe(error)) from error
        self.number = len(chosen)
        return chosen

    def _work(self, chosen, parsed_args):
        done = stack_action.StackAction(self.heat, chosen, self.action)
        done.run(parsed_args, self.app.stderr if parsed_args.wait else None)
        if done.failure:
            self.fail('stack', chosen.name, done.failure)
        self.is_interrupted = done.is_interrupted
        for line in done.remarks():
            self.say(line)
        self.done.append(done)
