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


"""Everything that one run measures."""

import dataclasses
import sys
import time
import unittest

from bench import everyday
from bench import refusals
from bench import startup
from bench import trees


@dataclasses.dataclass
class Results:
    """What the parts of the benchmark found.

    :ivar trees: list of :class:`bench.trees.Outcome`.
    :ivar refusals: list of :class:`bench.refusals.Outcome`.
    :ivar rounds: of :func:`bench.everyday.measure`.
    :ivar starts: :class:`bench.startup.Outcome`.
    """

    trees: list
    refusals: list
    rounds: dict
    starts: startup.Outcome


def measure(plan):
    """Run the whole benchmark.

    :param plan: :class:`bench.plan.Plan`.
    """
    starts = startup.measure(plan, _say)
    rounds = everyday.measure(plan, _say)
    found = Results([], [], rounds, starts)
    for kind in plan.databases:
        try:
            found.refusals += refusals.measure(plan, kind, _say)
            found.trees.append(trees.measure(plan, kind, _say))
        except unittest.SkipTest as error:
            _say('%s is left out: %s' % (kind, error))
    for outcome in found.trees:
        trees.extrapolate(outcome, plan.sizes)
    return found


def _say(what):
    print('%s %s' % (time.strftime('%H:%M:%S'), what), file=sys.stderr,
          flush=True)
