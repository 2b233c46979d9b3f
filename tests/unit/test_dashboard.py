# SPDX-License-Identifier: Apache-2.0

"""What the dashboard copies from heat-extras is the same in both.

The tests of the dashboard itself are in dashboard/tests. They need Horizon.
"""

import configparser
import pathlib

from heat.policies import base
import testtools
import yaml

from heat_extras import entry_points
from tests.unit import test_version

DASHBOARD = pathlib.Path(__file__).parents[2] / 'dashboard'
PACKAGE = DASHBOARD / 'heat_extras_dashboard'


def setup():
    parser = configparser.ConfigParser()
    parser.read(DASHBOARD / 'setup.cfg')
    return parser


class DashboardTest(testtools.TestCase):

    def test_policies_match_heat_extras(self):
        rules = [*entry_points.list_rules_of_actions(),
                 *entry_points.list_rules_of_guards()]
        wanted = [{'name': rule.name, 'check_str': rule.check_str,
                   'scope_types': rule.scope_types,
                   'description': rule.description,
                   'operations': rule.operations} for rule in rules]
        policies = yaml.safe_load((PACKAGE / 'conf/policies.yaml').read_text())
        self.assertEqual(wanted, policies[1:])

    def test_context_is_admin_omits_is_admin_project(self):
        # openstack_auth.policy has roles and no is_admin_project.
        policy_rule, *_rest = yaml.safe_load(
            (PACKAGE / 'conf/policies.yaml').read_text())
        heats, = (rule for rule in base.list_rules()
                  if rule.name == policy_rule['name'])
        self.assertEqual(('context_is_admin', 'role:admin'),
                         (policy_rule['name'], policy_rule['check_str']))
        self.assertEqual(heats.description, policy_rule['description'])

    def test_dashboard_version_matches_heat_extras(self):
        wanted = test_version.declared()
        self.assertEqual(wanted, setup()['metadata']['version'])
        self.assertIn(f'heat-extras=={wanted}',
                      setup()['options']['install_requires'].split())

    def test_package_data_includes_all_other_files(self):
        patterns = setup()['options.package_data'][
            'heat_extras_dashboard'].split()
        named = {path for pattern in patterns
                 for path in PACKAGE.glob(pattern)}
        there = {path for path in PACKAGE.rglob('*')
                 if path.is_file() and path.suffix not in ('.py', '.pyc')}
        self.assertEqual(there, named)
