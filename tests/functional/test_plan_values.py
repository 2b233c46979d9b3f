# SPDX-License-Identifier: Apache-2.0

"""The values of a plan, in the terminal and in files."""

import json
import os

from tests.functional import plan_cases
from tests.functional import test_plan_client

SHOWN = """\
web
  -/+  boot (OS::Heat::SoftwareConfig)
         config:  # forces replacement
            #!/bin/sh
           -apt-get install nginx
           +apt-get install nginx php
            systemctl start nginx
         the new resource is created first
  ~    db (OS::Heat::TestResource)
         value: "m1.small" -> "m1.large"
  ~    key (OS::Heat::TestResource)
         value: (hidden) -> (hidden)
  ~    nodes (member.yaml)
         address: "m1.small" -> (known after resource db is updated: output)
         networks[1]: (not set) -> "private"
    -/+? server (OS::Heat::TestResource)
           update_replace_value: "m1.small" -> \
(known after parameter address is known)  \
# forces replacement if it changes
           the new resource is created first
Plan: 0 to add, 3 to update, 1 to replace, 0 to remove; \
possibly 1 to replace; 1 unchanged.
"""

MEMBER = {**plan_cases.VERSION, 'parameters': {
    'address': {'type': 'string'},
    'networks': {'type': 'comma_delimited_list'}}, 'resources': {
        'server': plan_cases.test(
            update_replace_value={'get_param': 'address'}),
        'other': plan_cases.test()}}


def template(flavor, networks, packages):
    return {
        **plan_cases.VERSION,
        'parameters': {'password': {'type': 'string', 'hidden': True}},
        'resources': {
            'db': plan_cases.test(flavor),
            'boot': {'type': 'OS::Heat::SoftwareConfig', 'properties': {
                'config': f'#!/bin/sh\napt-get install {packages}\n'
                          'systemctl start nginx\n'}},
            'key': plan_cases.test({'list_join': [':', [
                'root', {'get_param': 'password'}]]}),
            'nodes': {'type': 'member.yaml', 'properties': {
                'address': plan_cases.attr('db'), 'networks': networks}}}}


class PlanValuesTest(test_plan_client.PlanClientCase):

    def plan_file(self, name):
        with open(os.path.join(self.directory, name)) as source:
            return source.read()

    def test_output_shows_values(self):
        self.write('member.yaml', MEMBER)
        old = self.write('old.yaml', template(
            'm1.small', ['public'], 'nginx'))
        new = self.write('new.yaml', template(
            'm1.large', ['public', 'private'], 'nginx php'))
        done = self.client.openstack(
            'stack', 'create', 'web', '-t', old, '--wait', '--parameter',
            'password=first-secret')
        self.assertEqual(0, done.returncode, done.stderr)
        self.addCleanup(self.client.delete, '/stacks/web')
        arguments = 'web', '-t', new, '--parameter', 'password=second-secret'
        done = self.run_plan(*arguments, '--out',
                             os.path.join(self.directory, 'x.plan'))
        self.assertEqual(SHOWN, done.stdout.replace(
            f'file://{self.directory}/', ''), done.stderr)
        self.assertNotIn('-secret', self.plan_file('x.plan') + done.stderr)
        short = self.run_plan(*arguments, '--no-values')
        self.assertIn('property "config" changes and forces', short.stdout)
        self.assertNotIn('m1.', short.stdout)
        found = json.loads(self.run_plan(*arguments, '-f', 'json').stdout)
        self.assertIn('m1.large', json.dumps(found))
        self.assertNotIn('-secret', json.dumps(found))
        found = json.loads(self.run_plan(*arguments, '--no-values', '-f',
                                         'json').stdout)
        self.assertNotIn('values', found['plan'][0])

    def test_control_characters_are_escaped(self):
        path = self.create('escaped', plan_cases.body({
            'a': plan_cases.test('one\ntwo')}))
        after = self.write('after.yaml', plan_cases.body({
            'a': plan_cases.test('one\n\033[31mtwo\u202e gr\u00fcn')})[
                'template'])
        lines = self.run_plan(path.split('/')[2], '-t',
                              after).stdout.splitlines()
        self.assertEqual(
            ['value:', ' one', '-two', '+\\x1b[31mtwo\\u202e gr\u00fcn'],
            [lines[2].strip(), *(line[11:] for line in lines[3:6])])

    def test_values_of_removed_property_default_and_file(self):
        def body(**properties):
            return plan_cases.body({
                'a': {'type': plan_cases.TEST, 'properties': properties},
                'f': plan_cases.test({'get_file': 'text'})})

        before = body(value='one', wait_secs='3')
        before['files'] = {'text': 'old'}
        path = self.create('removed', before)
        found = {entry['path']: {
            value['path']: (value['before'], value['after'])
            for value in entry['values']}
            for entry in self.preview(path, {**body(), 'files': {
                'text': 'new'}})['plan']}
        self.assertEqual({'a': {'value': ('one', 'test_string'), 'wait_secs': (
            '3', 0)}, 'f': {'value': ('old', 'new')}}, {
                name: {key: pair for key, pair in values.items()
                       if name == 'f' or key in ('value', 'wait_secs')}
                for name, values in found.items()})
