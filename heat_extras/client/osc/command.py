# SPDX-License-Identifier: Apache-2.0

"""What the commands have in common that do something with root stacks."""

import signal

from osc_lib import exceptions

from heat_extras.cli import examples
from heat_extras.client import actions
from heat_extras.client import choice
from heat_extras.client import errand
from heat_extras.client import messages
from heat_extras.client.osc import several

# As shells have it, and cliff.app.App.
INTERRUPTED = 128 + signal.SIGINT


class StacksCommand(several.SeveralLister):
    """Work through the stacks that are chosen, going on after an error."""

    action: actions.Action
    #: What is shown of each stack, and the names of the columns, of which
    #: there is one more for the result.
    fields: tuple[str, ...]
    names: tuple[str, ...]
    #: What is typed after "openstack stack", if it is not the verb.
    words: str | None = None
    #: Each errand.Errand of the run.
    done: list[errand.Errand]

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        examples.add(
            parser, f'openstack stack {self.words or self.action.verb}')
        self.action.add_arguments(parser)
        parser.set_defaults(wait=False)
        return parser

    def run(self, parsed_args):
        """Work; overrides several.SeveralLister.run."""
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
            chosen = choice.make(self.heat, parsed_args)
        except errand.FAILURES as error:
            raise exceptions.CommandError(
                messages.describe(error)) from error
        self.number = len(chosen)
        return chosen

    def _work(self, chosen, parsed_args):
        done = errand.Errand(self.heat, chosen, self.action)
        done.run(parsed_args, self.app.stderr if parsed_args.wait else None)
        if done.failure:
            self.fail('stack', chosen.name, done.failure)
        self.is_interrupted = done.is_interrupted
        for line in done.remarks(parsed_args):
            self.say(line)
        self.done.append(done)
