# SPDX-License-Identifier: Apache-2.0

import datetime

import testtools

from heat_extras.plugins import origin
from heat_extras.plugins import remake
from tests.unit.plugins import test_origin

GET = test_origin.GET


class RemakeTest(test_origin.Base):

    def made(self, definition, *names, version='2015-04-30', **values):
        """Make the stack in a resource once more.

        :param names: of the members that it has.
        """
        owner = self.add(test_origin.root({'x': definition}),
                         password='secret')
        child = self.add({'heat_template_version': version,
                          'resources': dict.fromkeys(names, {})}, owner, 'x')
        return origin.views(owner, [owner])[0].make(child, child.t)

    def group(self, kind, key='resource', **properties):
        return {'type': f'OS::Heat::{kind}', 'properties': {
            key: {'type': 'OS::Heat::Value', 'properties': {
                'value': {'a': 'b-%index%', 'c': GET}}}, **properties}}

    def test_members_with_random_names(self):
        found = self.made(self.group('AutoScalingGroup', min_size=1,
                                     max_size=3),
                          'abcdefghij23', 'secret')
        self.assertEqual({'abcdefghij23': {
            'type': 'OS::Heat::Value', 'properties': {
                'value': {'a': 'b-%index%', 'c': '******'}}}},
            found.document['resources'])

    def test_members_with_indexes_of_which_some_are_used_up(self):
        found = self.made(self.group('ResourceGroup', 'resource_def',
                                     count=2), '0', '3')
        self.assertEqual(
            {'0': 'b-0', '3': 'b-3'},
            {name: member['properties']['value']['a'] for name, member
             in found.document['resources'].items()})

    def test_members_of_other_names_are_not_repeated(self):
        found = self.made(self.group('ResourceGroup', 'resource_def',
                                     count=1), 'secret')
        self.assertEqual(['0'], list(found.document['resources']))

    def test_what_decides_on_the_members_has_to_be_known(self):
        for definition in (
                self.group('AutoScalingGroup', min_size=1, max_size=GET),
                self.group('ResourceGroup', 'resource_def', count=GET),
                self.group('ResourceGroup', 'resource_def', count=1,
                           index_var=GET),
                {'type': 'OS::Heat::ResourceChain', 'properties': {
                    'resources': [GET]}},
                {'type': 'OS::Heat::SoftwareDeploymentGroup',
                 'properties': {'servers': {'get_param': 'password'}}}):
            self.assertIsNone(self.made(definition, '0'))

    def test_what_would_have_to_be_fetched_is_not_made(self):
        for definition in (
                {'type': 'AWS::CloudFormation::Stack', 'properties': {
                    'TemplateURL': 'https://x.test/x'}},
                {'type': 'https://x.test/x.yaml'}):
            self.assertIsNone(self.made(definition))

    def test_parameters_of_a_file_that_can_not_be_known_are_marked(self):
        found = self.made({'type': 'inner.yaml', 'properties': {
            'a': GET, 'b': [GET], 'c': {'d': GET}}}, version='2018-08-31')
        self.assertEqual(
            {'a': '******', 'b': '******', 'c': {'d': '******'}},
            {name: value for name, value in found.parameters.items()
             if '::' not in name})


class PlainTest(testtools.TestCase):

    def test_it_is_what_a_database_would_give_back(self):
        self.assertEqual(
            {'1': ['x'], 'when': '2026-01-02'},
            remake.plain({1: ('x',), 'when': datetime.date(2026, 1, 2)}))
