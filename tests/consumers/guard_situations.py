# SPDX-License-Identifier: Apache-2.0

"""Guards on a stack before, during and just after an operation."""

import dataclasses
import time
import typing

from tests.consumers import scenarios
from tests.harness import request_times

CREATE, UPDATE, BAD_UPDATE, DELETE = (
    scenarios.CREATE, scenarios.UPDATE, scenarios.BAD_UPDATE, scenarios.DELETE)
# Shorter than the polling interval of each consumer.
_PAUSE = 0.05
_SECONDS = 60
# Time until the expiration of a lock that expires soon.
SOON = 3


def nothing(scenario):
    """Do not change the stack."""


@dataclasses.dataclass(frozen=True)
class Situation:
    """Changes of a stack besides the operation of its consumer.

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
        """List the outcomes of an operation that the guards allow."""
        if operation in self.refused:
            return (scenarios.NOTHING,)
        done = ((scenarios.FAILED, scenarios.ROLLED_BACK)
                if operation == BAD_UPDATE else (scenarios.DONE,))
        return (*done, *((scenarios.NOTHING,)
                         if operation in self.refused_early else ()))


def lock(level='stacks', **fields):
    """Return a function that locks the stack."""
    def act(scenario):
        _done(scenario.act('lock', _fields(level, fields)))
        _wait_for_level(scenario, level)
    return act


def ask(scenario):
    """Request a lock during the operation, which must be rejected."""
    scenario.wait_until_under_way()
    answer = scenario.act('lock', _fields('stacks', {}))
    if (answer.status_code != 409
            and scenario.happened() == scenarios.UNDER_WAY):
        raise AssertionError(f'Lock gave {answer.status_code} in the middle')


def lock_at_the_end(level='stacks', is_lifted=False, **fields):
    """Return a function that locks as soon as the operation has ended."""
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
    """Protect the stack during the operation, and remove the protection."""
    scenario.wait_until_under_way()
    protect(scenario)
    _done(scenario.act('unprotect'))


def let_pass(scenario):
    """Lock the stack, and grant its consumer a lock pass."""
    lock()(scenario)
    _done(scenario.act('lock_pass', {
        'user': scenario.environment.consumer(),
        'expires_at': request_times.from_now(minutes=10),
        'reason': 'CHG-1042'}))


def unlock_within_pass(scenario):
    """Unlock the stack while its consumer uses the lock pass."""
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
    """Wait until a lock is complete; level all takes some time."""
    end = time.monotonic() + _SECONDS
    while True:
        stack = scenario.owner.show_stack(scenario.path)
        if (stack['lock_level'], stack['lock_status']) == (
                level, 'LOCK_COMPLETE'):
            return
        if time.monotonic() > end:
            raise AssertionError(f'{scenario.project} is {stack}')
        time.sleep(_PAUSE)
