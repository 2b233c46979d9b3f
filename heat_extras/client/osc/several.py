# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.


"""What commands share that go on after an error with one of several."""

from heat_extras.client.osc import lister


class SeveralLister(lister.SafeLister):
    """List a result for each, and exit with 1 when one has failed."""

    def run(self, parsed_args):
        # cliff.display.DisplayCommandBase.run prints the rows and returns 0,
        # whatever take_action met on its way.
        self.has_failed = False
        code = super().run(parsed_args)
        return 1 if self.has_failed else code

    def fail(self, name, text):
        """Tell of a failure, now and by the exit status."""
        self.has_failed = True
        self.say(f'{name}: {text}')
