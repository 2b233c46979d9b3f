# SPDX-License-Identifier: Apache-2.0

"""What commands share that go on after an error with one of several."""

from heat_extras.client import messages
from heat_extras.client.osc import lister


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
        self.say(messages.about(kind, name, text))
