# SPDX-License-Identifier: Apache-2.0

"""The base classes of the commands."""

import signal

from osc_lib import exceptions

from heat_extras.cli import examples
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
    """Work through the stacks that are chosen, going on after an error."""

    action: actions.Action
    #: What is shown of each stack, and the names of the columns, of which
    #: there is one more for the result.
    fields: tuple[str, ...]
    names: tuple[str, ...]
    #: What is typed after "openstack stack", if it is not the verb.
    words: str | None = None
    #: Each stack_action.StackAction of the run.
    done: list[stack_action.StackAction]

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        examples.add(
            parser, f'openstack stack {self.words or self.action.verb}')
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
        for line in done.remarks(parsed_args):
            self.say(line)
        self.done.append(done)


def check_spelling(command, words):
    """Insist on the last words of a command, as they were typed.

    cliff takes the beginning of a word for the word, where only one command
    begins so: with ``stack lock list`` there, ``stack lock l`` would list
    locks, and say of the stack ``l`` that nothing went wrong.

    :param command: a cliff.command.Command
    :raises CommandError: for beginnings of them
    """
    count = len(words.split())
    typed = (command.cmd_name or words).split()
    last = ' '.join(typed[-count:])
    if last == words:
        return
    above = ' '.join(typed[:-count])
    what = ('a stack with that name' if count == 1
            else 'stacks with these names')
    raise exceptions.CommandError(
        f'found "{above} {last}", wanted "{above} {words}", or for {what} '
        f'"{above} -- {last}". Nothing was done')
