# SPDX-License-Identifier: Apache-2.0

"""Upstream tests of Heat, without heat-extras and with all features.

``python -m tests.consumers.upstream_tests`` runs python-heatclient's
functional tests, and tests of heat-tempest-plugin that need only Keystone and
Heat, against two sandboxes, and reports the differences. ``services`` are
tests that need Nova and Neutron, on a real cloud.
"""

import argparse
import collections
import functools
import json
import os
import sys

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
BARE, FULL = 'bare', 'everything on'


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


def compare(environments, modules):
    """Run tests on each Heat.

    :returns: from the name of a Heat to what :func:`run` returned.
    """
    runs = {}
    for name, environment in zip((BARE, FULL), environments,
                                 strict=True):
        with environment() as place:
            runs[name] = run(modules, place)
        print(name, dict(collections.Counter(runs[name]['found'].values())),
              'answers', runs[name]['answers'], flush=True)
    return runs


def main():
    parser = argparse.ArgumentParser(
        prog='python -m tests.consumers.upstream_tests', description=__doc__)
    parser.add_argument('suite', nargs='*', choices=[[], *MODULES])
    wrong = []
    for name in parser.parse_args().suite or ('heatclient', 'tempest'):
        environments = (suite_environments.CLOUDS if name == 'services'
                        else suite_environments.SANDBOXES)
        wrong += unlike(compare(environments, MODULES[name]))
    print(*wrong, sep='\n')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
