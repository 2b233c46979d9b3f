# SPDX-License-Identifier: Apache-2.0

"""Other people's tests of Heat, on a bare one and with everything on.

``python -m tests.consumers.theirs`` runs python-heatclient's functional tests
and those of heat-tempest-plugin that need no service beside Keystone and Heat,
against two sandboxes, and tells what differs.
"""

import argparse
import collections
import functools
import json
import os
import sys

import fixtures

from tests.consumers import room as rooms
from tests.functional import base
from tests.rigs import command
from tests.rigs import software

_HERE = os.path.dirname(__file__)
_PROGRAM = os.path.join(_HERE, 'programs', 'their_tests.py')
_SECONDS = 1800
_TEMPEST = 'heat_tempest_plugin.tests.functional.'
SUITES = {
    'heatclient': [f'heatclient.tests.functional.{name}' for name in (
        'osc.v1.test_readonly', 'osc.v1.test_stack')],
    'tempest': [_TEMPEST + name for name in (
        'test_encrypted_parameter', 'test_event_sinks', 'test_external_ref',
        'test_hooks', 'test_preview', 'test_resources_list',
        'test_stack_events', 'test_stack_outputs', 'test_stack_tags',
        'test_template_validate', 'test_templates', 'test_unicode_template',
        'test_waitcondition')]}
BARE, FULL = 'bare', 'everything on'
_TEMPEST_CONF = """
[heat_plugin]
auth_url = {auth_url}
auth_version = 3
username = bob
password = secret
admin_username = ops
admin_password = secret
project_name = demo
admin_project_name = demo
user_domain_id = default
project_domain_id = default
user_domain_name = Default
project_domain_name = Default
region = RegionOne
build_interval = 1
build_timeout = 120
"""


@functools.cache
def place():
    """Return where the tests are installed; they are if they were not."""
    return software.Software(
        'theirs-venv', 'HEAT_EXTRAS_THEIRS_VENV',
        os.path.join(_HERE, 'theirs.txt')).environment()


class BareRoom(rooms.Room):
    """A Heat without any guard."""

    def __init__(self):
        super().__init__('off')

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.sandbox = self.useFixture(base.Sandbox(('--features', '')))


def run(room, modules):
    """Run test modules against a Heat.

    :returns: what became of each test by its id.
    """
    target = os.path.join(room.directory, 'found.json')
    conf = os.path.join(room.directory, 'tempest.conf')
    with open(conf, 'w') as written:
        written.write(_TEMPEST_CONF.format(auth_url=room.auth_url))
    done = command.run(
        [os.path.join(place(), 'bin', 'python'), _PROGRAM, target, *modules],
        seconds=_SECONDS, directory=room.directory, environment={
            **room.environment('demo'), 'OS_USERNAME': 'bob',
            'OS_PASSWORD': 'secret', 'OS_TENANT_NAME': 'demo',
            'OS_PROJECT_NAME': 'demo', 'OS_AUTH_URL': room.auth_url,
            'OS_HEATCLIENT_EXEC_DIR': os.path.join(place(), 'bin'),
            'TEMPEST_CONFIG_DIR': room.directory,
            'TEMPEST_CONFIG': 'tempest.conf'})
    print(done.stdout, done.stderr, sep='', flush=True)
    with open(target) as source:
        return json.load(source)


def differences(found):
    """List the tests whose results differ, with the results.

    :param found: from the name of a Heat to what :func:`run` returned.
    """
    return [(test, found[BARE].get(test), found[FULL].get(test))
            for test in sorted({*found[BARE], *found[FULL]})
            if found[BARE].get(test) != found[FULL].get(test)]


def main():
    parser = argparse.ArgumentParser(
        prog='python -m tests.consumers.theirs', description=__doc__)
    parser.add_argument('suite', nargs='*', choices=[[], *SUITES])
    wanted = parser.parse_args().suite or SUITES
    modules = [module for suite in wanted for module in SUITES[suite]]
    found = {}
    for name, room in ((BARE, BareRoom()), (FULL, rooms.Room('off'))):
        with room:
            found[name] = run(room, modules)
        print(name, dict(collections.Counter(found[name].values())))
    unlike = differences(found)
    for test, bare, full in unlike:
        print(f'{test}: {bare} on a bare Heat, {full} with everything on')
    sys.exit(1 if unlike else 0)


if __name__ == '__main__':
    main()
