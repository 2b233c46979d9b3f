# SPDX-License-Identifier: Apache-2.0

"""Guards on a stack before, during and just after an operation."""

import dataclasses
import typing

from tests.consumers import scenarios
from tests.harness import request_times
from tests.harness import waiting

CREATE, UPDATE, BAD_UPDATE, DELETE = (
    scenarios.CREATE, scenarios.UPDATE, scenarios.BAD_UPDATE, scenarios.DELETE)
_FIELDS = {'level': 'stacks', 'reason': 'db move'}


def nothing(scenario):
    """Do not change the stack."""


@dataclasses.dataclass(frozen=True)
class Situation:
    """Changes of a stack besides the operation of its consumer.

    :ivar prepare: called with the scenario before the consumer begins
    :ivar meanwhile: called with it while the consumer is at work
    :ivar refused: the operations that Heat is to refuse
    """

    name: str
    operations: tuple
    prepare: typing.Callable = nothing
    meanwhile: typing.Callable = nothing
    refused: tuple = ()

    def ends(self, operation):
        """List the outcomes of an operation that the guards allow."""
        if operation in self.refused:
            return (scenarios.NOTHING,)
        return ((scenarios.FAILED, scenarios.ROLLED_BACK)
                if operation == BAD_UPDATE else (scenarios.DONE,))


def lock(scenario):
    """Lock the stack."""
    _done(scenario.act('lock', _FIELDS))


def ask(scenario):
    """Request a lock during the operation, which must be rejected."""
    scenario.wait_until_under_way()
    answer = scenario.act('lock', _FIELDS)
    if (answer.status_code != 409
            and scenario.happened() == scenarios.UNDER_WAY):
        raise AssertionError(f'Lock gave {answer.status_code} in the middle')


def lock_at_the_end(scenario):
    """Lock the stack as soon as the operation has ended."""
    scenario.wait_until_under_way()
    waiting.until(
        f'the end of {scenario.operation} of {scenario.project}',
        lambda: scenario.act('lock', _FIELDS).status_code,
        lambda status: status == 200)


def protect(scenario):
    """Protect the stack from deletion."""
    _done(scenario.act('protect', {'reason': 'db move'}))


def let_pass(scenario):
    """Lock the stack, and grant its consumer a lock pass."""
    lock(scenario)
    _done(scenario.act('lock_pass', {
        'user': scenario.environment.consumer(),
        'expires_at': request_times.from_now(minutes=10),
        'reason': 'CHG-1042'}))


def freeze(scenario):
    """Freeze the project."""
    scenario.environment.freeze(scenario.project)


_WITH_UPDATES = (CREATE, UPDATE, BAD_UPDATE)
ALL = (
    Situation('none', (*_WITH_UPDATES, DELETE)),
    Situation('before', (UPDATE, DELETE), prepare=lock,
              refused=(UPDATE, DELETE)),
    Situation('asked for during it', (CREATE, UPDATE, DELETE), meanwhile=ask),
    Situation('at its end', _WITH_UPDATES, meanwhile=lock_at_the_end),
    Situation('delete protection', (UPDATE, DELETE), prepare=protect,
              refused=(DELETE,)),
    Situation('pass', (UPDATE, BAD_UPDATE), prepare=let_pass),
    Situation('freeze', (CREATE, UPDATE, DELETE), prepare=freeze,
              refused=(CREATE, UPDATE, DELETE)),
)


def _done(answer):
    if answer.status_code >= 300:
        raise AssertionError(f'{answer.request.body} gave '
                             f'{answer.status_code}: {answer.text}')
