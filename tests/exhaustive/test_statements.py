# SPDX-License-Identifier: Apache-2.0

"""SQL statements for unlocked stacks, with and without heat-extras."""

import collections
from concurrent import futures
import functools
import os
import re
import time

import fixtures
import testtools
from testtools import content

from tests.functional import base
from tests.functional import templates
from tests.harness import waiting

# The first of each kind fills Heat's caches, too.
REPETITIONS = 2
QUIET_SECONDS = 1
END_SECONDS = 120

# Nothing may run by itself, and events must not be purged at random.
_SETTINGS = """
[DEFAULT]
periodic_interval = 36000
max_events_per_stack = 0
convergence_engine = {convergence}
[database]
connection_debug = 50
"""

_STATEMENT = re.compile(
    r'INFO sqlalchemy\.engine\.Engine \[.*?\] '
    r'((?:SELECT|INSERT|UPDATE|DELETE|WITH)\b(?:.*\n)(?:(?!\d{4}-).*\n)*)')
_TABLE = re.compile(r'\b(?:FROM|INTO|UPDATE) +(\w+)')

_STACK_COLUMN = re.compile(r'\bstack\.(\w+) AS ')
_POLLED = {'id', 'action', 'status', 'status_reason', 'updated_at'}

_ONE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {'test': {'type': 'OS::Heat::TestResource', 'properties': {
        'value': {'get_param': 'value'}}}},
}
_NESTED = {
    'heat_template_version': '2018-08-31',
    'resources': {'nested': {'type': 'member.yaml'}},
}
_FREEZES = """
freezes:
- {name: others, begin: 2020-01-01 00:00, duration: 1d, rrule: FREQ=DAILY,
   projects: [others], operations: [update, delete, check, signal]}
- {name: one-day, begin: 2199-01-01 00:00, duration: 1h}
"""


class _Watch:
    """Count the statements in the log of a sandbox.

    :ivar counts: by operation, a list of counters of kinds of statement.
    """

    def __init__(self, log_path):
        self._log_path = log_path
        self.counts = collections.defaultdict(list)

    def count(self, operation, act, end=None):
        """Count what *act* causes.

        :param end: what the log says when it is all but done; None when it
            is done with the answer.
        """
        start = os.path.getsize(self._log_path)
        answer = act()
        if answer.status_code >= 300:
            raise AssertionError(f'{operation}: {answer.text}')
        if end is not None:
            self.wait_for(end, start)
            self.wait_until_quiet()
        self.counts[operation].append(collections.Counter(
            _kind(statement)
            for statement in _STATEMENT.findall(self._read(start))
            if not _is_poll(statement)))
        return answer

    def wait_for(self, text, start):
        """Wait until the log has a text after *start*."""
        waiting.until(f'{text!r} in the log', lambda: self._read(start),
                      lambda log: text in log, END_SECONDS,
                      tell=lambda log: log[-2000:])

    def wait_until_quiet(self):
        """Wait until nothing is logged any more."""
        waiting.until(
            'nothing to be logged for some seconds',
            lambda: time.time() - os.path.getmtime(self._log_path),
            lambda silence: silence >= QUIET_SECONDS, END_SECONDS)

    def _read(self, start):
        with open(self._log_path) as source:
            source.seek(start)
            return source.read()


def _kind(statement):
    table = _TABLE.search(statement)
    return f'{statement.split()[0]} {table and table.group(1)}'


def _is_poll(statement):
    # StackResource asks for the status of its stack until it is there
    # (heat.db.api.stack_get_status): how often is a matter of time.
    return set(_STACK_COLUMN.findall(statement)) == _POLLED


def _run(client, watch, number):
    _run_root(client, watch, f'one-{number}')
    _run_nested(client, watch, f'nested-{number}')
    _run_signals(client, watch, f'scaling-{number}')


def _create(client, watch, operation, name, template, **body):
    answer = watch.count(
        operation, lambda: client.post('/stacks', dict(
            body, stack_name=name, template=template)),
        f'Stack CREATE COMPLETE ({name})')
    return f'/stacks/{name}/{answer.json()["stack"]["id"]}'


def _run_root(client, watch, name):
    path = _create(client, watch, 'create', name, _ONE)
    for operation, suffix in (
            ('show', ''), ('resource list', '/resources'),
            ('resource show', '/resources/test'), ('events', '/events')):
        watch.count(operation, functools.partial(client.get, path + suffix))
    watch.count('list', lambda: client.get('/stacks?name=' + name))
    watch.count(
        'update', lambda: client.put(path, {
            'template': _ONE, 'parameters': {'value': 'two'}}),
        f'Stack UPDATE COMPLETE ({name})')
    for action in ('check', 'suspend', 'resume'):
        watch.count(
            action, functools.partial(
                client.post, path + '/actions', {action: None}),
            f'Stack {action.upper()} COMPLETE ({name})')
    watch.count('delete', lambda: client.delete(path),
                f'Stack DELETE COMPLETE ({name})')


def _run_nested(client, watch, name):
    path = _create(client, watch, 'create with a nested stack', name,
                   _NESTED, files=templates.FILES)
    watch.count(
        'update with a nested stack', lambda: client.put(path, {
            'template': _NESTED, 'files': templates.FILES}),
        f'Stack UPDATE COMPLETE ({name})')
    watch.count('delete with a nested stack', lambda: client.delete(path),
                f'Stack DELETE COMPLETE ({name})')


def _run_signals(client, watch, name):
    path = client.create_stack(name, templates.FULL_GROUP)
    watch.wait_until_quiet()
    for operation, resource in (('signal to a policy', 'policy'),
                                ('signal to a handle', 'handle')):
        # Answered before the resource gets it.
        watch.count(operation, functools.partial(
            client.post, f'{path}/resources/{resource}/signal',
            {'id': 'same'}), end='POST')
    client.delete(path)
    watch.wait_for(f'Stack DELETE COMPLETE ({name})', 0)
    watch.wait_until_quiet()


def _measure(features, convergence, more=''):
    """Run everything in a sandbox of its own; returns the counts.

    :param more: settings.
    """
    # At Heat's own pace: a parent that looks at its children more often finds
    # them in other states.
    with base.Sandbox(['--features', features, '--hurry', '1'],
                      _SETTINGS.format(convergence=convergence) + more
                      ) as sandbox:
        watch = _Watch(sandbox.log_path)
        watch.wait_until_quiet()
        for number in range(REPETITIONS):
            _run(sandbox.client(), watch, number)
        return watch.counts


def _table(bare, extended):
    lines = [f'{"":28}{"bare":>6}{"ours":>6}  difference']
    for operation in bare:
        extended_least = _least(extended[operation])
        bare_least = _least(bare[operation])
        more, fewer = extended_least - bare_least, bare_least - extended_least
        lines.append(
            f'{operation:28}{bare_least.total():6}{extended_least.total():6}  '
            + ' '.join([f'+{kind}: {n}' for kind, n in more.items()]
                       + [f'-{kind}: {n}' for kind, n in fewer.items()]))
    return '\n'.join(lines)


def _least(counters):
    # Retries and contended sync points come on top at random.
    return min(counters, key=collections.Counter.total)


def _allowed(operation, counter):
    """Return how many more statements an operation may cost.

    One for each StackLock that is taken (Heat 24 takes it on the convergence
    engine, too), and two for each stack that is created with an owner, as
    the backup stack of a legacy update is: they read the owner's lock, and
    whether it has an update policy. Nothing else.
    """
    owned = counter['INSERT stack'] - operation.startswith('create')
    return counter['INSERT stack_lock'] + 2 * owned


class StatementsTestCase(testtools.TestCase):
    """On the same Heat, with all features enabled and without."""

    def compare(self, convergence):
        # A freeze of others, so that each operation is compared with it.
        path = self.useFixture(fixtures.TempDir()).join('freezes.yaml')
        with open(path, 'w') as target:
            target.write(_FREEZES)
        frozen = f'[heat_extras]\nfreezes_file = {path}\n'
        # Most of the time goes by until a Heat is quiet.
        with futures.ThreadPoolExecutor() as pool:
            bare, extended = pool.map(
                lambda options: _measure(*options),
                (('', convergence), ('all', convergence, frozen)))
        table = _table(bare, extended)
        self.addDetail('statements', content.text_content(table))
        if os.environ.get('HEAT_EXTRAS_TEST_TABLES'):
            print('\n' + table)
        for operation in bare:
            bare_least = _least(bare[operation])
            self.assertGreater(bare_least.total(), 0, operation)
            self.assertLessEqual(
                _least(extended[operation]).total(),
                bare_least.total() + _allowed(operation, bare_least),
                f'{operation}\n{table}')


# One class each, so that they can run at the same time.
class ConvergenceTest(StatementsTestCase):
    def test_statements(self):
        self.compare(True)


class LegacyTest(StatementsTestCase):
    def test_statements(self):
        self.compare(False)
