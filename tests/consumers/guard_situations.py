# SPDX-License-Identifier: Apache-2.0

"""What becomes of a stack before, while and just after it is operated on."""

import dataclasses
import time
import typing

from tests.consumers import scenarios
from tests.harness import request_times

CREATE, UPDATE, BAD_UPDATE, DELETE = (
    scenarios.CREATE, scenarios.UPDATE, scenarios.BAD_UPDATE, scenarios.DELETE)
# Sooner than any consumer looks again.
_PAUSE = 0.05
_SECONDS = 60
# Until the end of a lock that is to end soon.
SOON = 3


def nothing(scenario):
    """Leave the stack alone."""


@dataclasses.dataclass(frozen=True)
class Situation:
    """What is done to a stack besides what its consumer does.

    :ivar name: what it is called in the table
    :ivar prepare: called with the scenario before the consumer begins
    :ivar meanwhile: called with it while the consumer is at work
    :ivar refused: the operations that Heat is to refuse
    :ivar refused_early: those that it is to refuse if they come soon enough
    :ivar is_alone: whether it is for all stacks that are in a project, so
        that no other is run beside it where they share one
    """

    name: str
    operations: tuple
    prepare: typing.Callable = nothing
    meanwhile: typing.Callable = nothing
    refused: tuple = ()
    refused_early: tuple = ()
    is_alone: bool = False

    def ends(self, operation):
        """List what may become of an operation, as the guards promise it."""
        if operation in self.refused:
            return (scenarios.NOTHING,)
        done = ((scenarios.FAILED, scenarios.ROLLED_BACK)
                if operation == BAD_UPDATE else (scenarios.DONE,))
        return (*done, *((scenarios.NOTHING,)
                         if operation in self.refused_early else ()))


def lock(level='stacks', **fields):
    """Make a function that locks."""
    def act(scenario):
        _done(scenario.act('lock', _fields(level, fields)))
        _wait_for_level(scenario, level)
    return act


def ask(scenario):
    """Ask for a lock in the middle, which is refused."""
    scenario.wait_until_under_way()
    answer = scenario.act('lock', _fields('stacks', {}))
    if (answer.status_code != 409
            and scenario.happened() == scenarios.UNDER_WAY):
        raise AssertionError(f'Lock gave {answer.status_code} in the middle')


def lock_at_the_end(level='stacks', is_lifted=False, **fields):
    """Make a function that locks as soon as the operation lets it."""
    def act(scenario):
        scenario.wait_until_under_way()
        end = time.monotonic() + _SECONDS
        while scenario.act('lock', _fields(level, fields)).status_code != 200:
            if time.monotonic() > end:
                raise AssertionError(
                    f'{scenario.project} could not be locked after its '
                    f'{scenario.operation}: {scenario.happened()}')
            time.sleep(_PAUSE)
        if is_lifted:
            _wait_for_level(scenario, level)
            _done(scenario.act('unlock'))
    return act


def protect(scenario):
    """Protect the stack from deletion."""
    _done(scenario.act('protect', {'reason': 'db move'}))


def protect_within(scenario):
    """Protect the stack in the middle, and have another say."""
    scenario.wait_until_under_way()
    protect(scenario)
    _done(scenario.act('unprotect'))


def let_pass(scenario):
    """Lock the stack, and let its consumer through."""
    lock()(scenario)
    _done(scenario.act('lock_pass', {
        'user': scenario.environment.consumer(),
        'expires_at': request_times.from_now(minutes=10),
        'reason': 'CHG-1042'}))


def unlock_within_pass(scenario):
    """Lift the lock while its consumer is let through."""
    scenario.wait_until_under_way()
    _done(scenario.act('unlock'))


def freeze(scenario):
    """Freeze the project."""
    scenario.environment.freeze(scenario.project)


_WITH_UPDATES = (CREATE, UPDATE, BAD_UPDATE)
ALL = (
    Situation('none', (*_WITH_UPDATES, DELETE)),
    Situation('before', (UPDATE, DELETE), prepare=lock(),
              refused=(UPDATE, DELETE)),
    Situation('before, level all', (UPDATE, DELETE), prepare=lock('all'),
              refused=(UPDATE, DELETE)),
    Situation('before, ends soon', (UPDATE,), prepare=lambda scenario: lock(
        expires_at=request_times.from_now(seconds=SOON))(scenario),
        refused_early=(UPDATE,)),
    Situation('asked for during it', (CREATE, UPDATE, DELETE), meanwhile=ask),
    Situation('at its end', _WITH_UPDATES, meanwhile=lock_at_the_end()),
    Situation('at its end, level all', (CREATE, UPDATE),
              meanwhile=lock_at_the_end('all')),
    Situation('at its end, and lifted', (CREATE, UPDATE),
              meanwhile=lock_at_the_end(is_lifted=True)),
    Situation('delete protection', (UPDATE, DELETE), prepare=protect,
              refused=(DELETE,)),
    Situation('protection during it', (CREATE, UPDATE),
              meanwhile=protect_within),
    Situation('pass', (UPDATE, BAD_UPDATE), prepare=let_pass),
    Situation('pass, and unlocked', (UPDATE, BAD_UPDATE), prepare=let_pass,
              meanwhile=unlock_within_pass),
    Situation('freeze', (CREATE, UPDATE, DELETE), prepare=freeze,
              refused=(CREATE, UPDATE, DELETE), is_alone=True),
)
BY_NAME = {situation.name: situation for situation in ALL}


def _fields(level, more):
    fields = {name: value() if callable(value) else value
              for name, value in more.items()}
    return {'level': level, 'reason': 'db move', **fields}


def _done(answer):
    if answer.status_code >= 300:
        raise AssertionError(f'{answer.request.body} gave '
                             f'{answer.status_code}: {answer.text}')


def _wait_for_level(scenario, level):
    """Wait until a lock is complete; with level all that takes a moment."""
    end = time.monotonic() + _SECONDS
    while True:
        stack = scenario.owner.show_stack(scenario.path)
        if (stack['lock_level'], stack['lock_status']) == (
                level, 'LOCK_COMPLETE'):
            return
        if time.monotonic() > end:
            raise AssertionError(f'{scenario.project} is {stack}')
        time.sleep(_PAUSE)
