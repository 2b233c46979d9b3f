# SPDX-License-Identifier: Apache-2.0

"""Upstream tests of Heat, without heat-extras and with all features.

``python -m tests.consumers.upstream_tests`` runs python-heatclient's
functional tests, and tests of heat-tempest-plugin that need only Keystone and
Heat, against two sandboxes, and reports the differences. ``services`` are
tests that need Nova and Neutron, on a real cloud. ``rally`` runs Rally's
scenarios on sandboxes, ``rally-cloud`` on a real Keystone and Heat.
``dashboard`` are heat-dashboard's unit tests. ``--locks SEED`` runs all tests
except these once more, on Heat with all features, while another user locks and
unlocks their stacks.
"""

import argparse
import collections
import functools
import json
import os
import sys
import time

from tests.consumers import cases
from tests.consumers import concurrent_user
from tests.consumers import dashboard
from tests.consumers import rally
from tests.consumers import results_file
from tests.consumers import suite_environments
from tests.harness import command
from tests.harness import software

_HERE = os.path.dirname(__file__)
_PROGRAM = os.path.join(_HERE, 'programs', 'upstream_tests.py')
_SECONDS = 3600
_TEMPEST = 'heat_tempest_plugin.tests.'
MODULES = {
    'heatclient': [f'heatclient.tests.functional.{name}' for name in (
        'osc.v1.test_readonly', 'osc.v1.test_stack')],
    'tempest': [f'{_TEMPEST}functional.{name}' for name in (
        'test_encrypted_parameter', 'test_event_sinks', 'test_external_ref',
        'test_hooks', 'test_preview', 'test_resources_list',
        'test_stack_events', 'test_stack_outputs', 'test_stack_tags',
        'test_template_validate', 'test_templates', 'test_unicode_template',
        'test_waitcondition')],
    'services': [_TEMPEST + name for name in (
        'functional.test_create_update_neutron_port',
        'functional.test_create_update_neutron_subnet',
        'functional.test_create_update_neutron_trunk',
        'functional.test_encryption_vol_type',
        'functional.test_extra_route_set',
        'functional.test_nova_server_networks',
        'functional.test_remote_stack',
        'functional.test_software_config',
        'scenario.test_base_resources',
        'scenario.test_remote_deeply_nested',
        'scenario.test_volumes')]}
BARE, FULL, LOCKED = 'bare', 'everything on', 'locks at random'
# The message of a rejection by a lock, for any client.
SENTENCE = 'is locked (level stacks)'
# By this an engine's own refusal made an operation fail that had begun: no
# lock comes to a stack that is operated on.
WITHIN = 'StackLocked: resources.'
# The text for a failed test without output.
NOTHING = 'nothing was said'


@functools.cache
def place():
    """Return the directory of the tests; install them if needed."""
    return software.Software(
        'upstream-tests-venv', 'HEAT_EXTRAS_UPSTREAM_TESTS_VENV',
        os.path.join(_HERE, 'upstream_tests.txt')).environment()


def run(modules, environment):
    """Run test modules against a Heat.

    :returns: what ``programs/upstream_tests.py`` writes: what became of each
        test by its id, what was said of those that failed, and the answers.
    """
    target = os.path.join(environment.directory, 'found.json')
    environment.write_tempest_conf(
        os.path.join(environment.directory, 'tempest.conf'))
    done = command.run(
        [os.path.join(place(), 'bin', 'python'), _PROGRAM, target, *modules],
        seconds=_SECONDS, directory=environment.directory, environment={
            **environment.os_environ('demo'), **environment.variables(),
            'OS_HEATCLIENT_EXEC_DIR': os.path.join(place(), 'bin'),
            'TEMPEST_CONFIG_DIR': environment.directory,
            'TEMPEST_CONFIG': 'tempest.conf'})
    print(done.stdout, done.stderr, sep='', flush=True)
    if done.returncode:
        raise AssertionError(f'The tests ended with {done.returncode}')
    with open(target) as source:
        return json.load(source)


def differences(statuses):
    """List the tests whose results differ, with the results.

    :param statuses: from the name of a Heat to the results by test.
    """
    return [(test, statuses[BARE].get(test), statuses[FULL].get(test))
            for test in sorted({*statuses[BARE], *statuses[FULL]})
            if statuses[BARE].get(test) != statuses[FULL].get(test)]


def unlike(runs):
    """List sentences about the differences from Heat without heat-extras.

    :param runs: from the name of a Heat to what :func:`run` returned.
    """
    statuses = {name: each['found'] for name, each in runs.items()}
    if 'passed' not in statuses[BARE].values():
        return ['No test passed on a bare Heat: nothing was compared']
    return [f'{test}: {first} on a bare Heat, {other} with everything on'
            for test, first, other in differences(statuses)]


def unexplained(full, locked):
    """List the failures of a run with locks that no lock explains.

    :param full: what :func:`run` returned without locks, and ``locked`` with.
    :returns: the test and what it was told, for each.
    """
    return [(test, message) for test, became in sorted(locked['found'].items())
            if became == 'failed' and full['found'].get(test) != 'failed'
            for message in locked['said'].get(test) or [NOTHING]
            if SENTENCE not in message or WITHIN in message]


def _missing(full, locked):
    """List sentences about tests that were not completed with locks."""
    return [f'{test}: passed with everything on, {became} beside locks'
            for test, before in sorted(full['found'].items())
            for became in [locked['found'].get(test)]
            if before == 'passed' and became not in ('passed', 'failed')]


def fewer(record, new):
    """List a sentence if fewer tests passed without heat-extras than before.

    Tests that pass on neither Heat are not a difference.

    :param record: the file that has what came of the last run.
    :param new: what :func:`entry` returned.
    """
    known = results_file.key(results_file.TESTS, new)
    before, now = [sum(each['runs'][BARE][
        'totals'].get('passed', 0) for each in resource) for resource in (
            [old for old in results_file.read(record)[results_file.TESTS]
             if results_file.key(results_file.TESTS, old) == known
             and old['release'] == new['release']], [new])]
    return [f'{now} tests passed on a bare Heat, and {before} before: '
            f'{new["release"]}'] if now < before else []


def violations(runs):
    """List sentences about violations in a run with locks.

    :param runs: from the name of a Heat to what :func:`run` returned.
    """
    full, locked = runs[FULL], runs[LOCKED]
    return [*locked['concurrent_user'], *_missing(full, locked),
            *(() if locked['others'].get('lock 200') else
              ['Nobody got a lock: nothing was tried']),
            *(f'{number} answers had the status {status}'
              for status, number in sorted(locked['answers'].items())
              if int(status) >= 500),
            *(f'{test} failed beside locks, and was told no lock:\n{message}'
              for test, message in unexplained(full, locked))]


def compare(environments, run_on, seed=None):
    """Run tests on each Heat.

    :param run_on: called with an environment; returns what :func:`run` does.
    :param seed: of the locks, or None for none.
    :returns: from the name of a Heat to what was returned.
    """
    runs = {}
    with environments.bare() as environment:
        runs[BARE] = _timed(BARE, run_on, environment)
    with environments.full() as environment:
        runs[FULL] = _timed(FULL, run_on, environment)
        if seed is not None:
            runs[LOCKED] = _timed(LOCKED, functools.partial(
                beside, run_on, seed), environment)
    print(*rally.table(runs), sep='\n', flush=True)
    return runs


def entry(suite, release, seed, runs):
    """Return the entry of the results file for the runs of a suite."""
    return {'suite': suite, 'heat': results_file.heat(), 'release': release,
            'seed': seed, 'runs': {
                name: _kept(each) for name, each in runs.items()}}


def _kept(result):
    """Return totals, and the last line that each failed test was told."""
    return {'totals': dict(collections.Counter(result['found'].values())),
            'failed': {test: cases.shortened(
                (result.get('said', {}).get(test) or [''])[-1])
                for test, became in sorted(result['found'].items())
                if became == 'failed'},
            'answers': result['answers'],
            'others': result.get('others', {})}


def _timed(name, run_on, environment):
    """Run tests, and print their duration and results."""
    started = time.monotonic()
    result = run_on(environment)
    print(f'{name}, {time.monotonic() - started:.0f} s:',
          dict(collections.Counter(result['found'].values())),
          'answers', result['answers'])
    print(*(f'  failed: {test}' for test, became in sorted(
        result['found'].items()) if became == 'failed'), sep='\n', flush=True)
    return result


def beside(run_on, seed, environment):
    """Run tests while somebody else locks the stacks that they make.

    :returns: what they do, and ``concurrent_user``, sentences about what must
        not be, and ``others``, how often which action was answered how.
    """
    with concurrent_user.ConcurrentUser(environment.client('demo'),
                                        seed) as other_user:
        result = run_on(environment)
    left = other_user.clear()
    print('somebody else:', dict(other_user.answers), flush=True)
    return {**result, 'concurrent_user': [*other_user.violations, *left],
            'others': dict(other_user.answers)}


class Suite:
    """A test suite and its environments.

    :param environments: the two Heats
    :param run_on: called with an environment; returns what :func:`run` does
    :param where: returns where they are installed
    :param packages: what their release is told by
    """

    def __init__(self, environments, run_on, where, *packages):
        self.environments = environments
        self.run_on = run_on
        self._where = where
        self._packages = packages

    def release(self):
        """Return the exact releases that run."""
        return software.releases(self._where(), *self._packages)


def _suite(name, environments, package):
    return Suite(environments, functools.partial(run, MODULES[name]), place,
                 package)


SUITES = {
    'heatclient':
    _suite('heatclient', suite_environments.SANDBOXES,
           'python-heatclient'), 'tempest':
    _suite('tempest', suite_environments.SANDBOXES,
           'heat-tempest-plugin'), 'services':
    _suite('services', suite_environments.CLOUDS, 'heat-tempest-plugin'),
    'rally':
    Suite(suite_environments.SANDBOXES, rally.run, rally.place,
          'rally-openstack'), 'rally-cloud':
    Suite(suite_environments.SMALL_CLOUDS, rally.run, rally.place,
          'rally-openstack'), 'dashboard':
    Suite(suite_environments.Environments(dashboard.without,
                                          dashboard.enabled),
          dashboard.run, dashboard.place, 'heat-dashboard', 'horizon')
}
# These tests send no requests to Heat.
_UNLOCKED = ('dashboard',)


def _run_suite(name, seed, record):
    """Run a suite; return sentences about the errors."""
    suite = SUITES[name]
    seed = None if name in _UNLOCKED else seed
    runs = compare(suite.environments, suite.run_on, seed)
    lost = []
    if record:
        run_entry = entry(name, suite.release(), seed, runs)
        lost = fewer(record, run_entry)
        # Otherwise, the next run would be compared with this run.
        if not lost:
            results_file.keep(record, results_file.TESTS, [run_entry])
    return [*lost, *unlike(runs),
            *(violations(runs) if LOCKED in runs else ())]


def main():
    parser = argparse.ArgumentParser(
        prog='python -m tests.consumers.upstream_tests', description=__doc__)
    parser.add_argument('suite', nargs='*', choices=[[], *SUITES])
    parser.add_argument('--locks', metavar='SEED', type=int)
    parser.add_argument(
        '--record', help='a JSON file that keeps what became of the tests')
    options = parser.parse_args()
    wrong = [sentence for name in options.suite or ('heatclient', 'tempest')
             for sentence in _run_suite(name, options.locks, options.record)]
    print(*wrong, sep='\n')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
