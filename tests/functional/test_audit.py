# SPDX-License-Identifier: Apache-2.0

"""Tests of ``heat-extras-manage audit`` with the stacks of a running Heat."""

import json
import os

import fixtures

from tests.functional import base
from tests.functional import test_plugin_limits as limits

SECRET = 'not-a-name'


class AuditTest(base.TestCase):

    is_shared = False
    settings = None

    def write(self, text):
        path = os.path.join(self.useFixture(fixtures.TempDir()).path, 'rules')
        with open(path, 'w') as target:
            target.write(text)
        return path

    def audit(self, *words, rules=limits.RULES):
        return self.sandbox.run('heat-extras-manage', 'audit', '--rules',
                                self.write(rules), *words)

    def violations(self, **keywords):
        done = self.audit('-f', 'json', **keywords)
        rows = json.loads(done.stdout)
        self.assertEqual(1 if rows else 0, done.returncode, done.stderr)
        if rows:
            self.assertIn(f'Found {len(rows)} violation', done.stderr)
        return {(row['stack_name'], row['rule'], row['mode']): row['reason']
                for row in rows}

    def create(self, name, tags='owner=me', **resources):
        path = self.client.create_stack(
            name, limits.template(**resources), files=limits.FILES, tags=tags)
        self.addCleanup(self.client.wait_until_free, name)
        self.addCleanup(self.client.delete, path)
        return path

    def test_each_kind_of_rule(self):
        self.create('good', a=limits.string())
        self.create('many', group=limits.group(4))
        self.create('long', inner={
            'type': 'inner.yaml', 'properties': {'length': 9}})
        self.create('mixed', tags='x', t={'type': 'OS::Heat::TestResource'},
                    a=limits.string(9), b=limits.value())
        self.create('other', a=limits.value('b'), b=limits.value('c'))
        nested = next(name for name in self.names() if '-inner-' in name)
        found = self.violations()
        # The same text about each stack of the project.
        self.assertEqual({
            ('many', 'few-strings', 'deny'):
                'few-strings: the stack tree has 4 resources of type '
                'OS::Heat::RandomString, but at most 3 are allowed (ask for '
                'more)',
            (nested, 'short', 'deny'):
                'short: property "length" of resource text must be one of 8, '
                '16',
            ('mixed', 'no-test', 'deny'):
                'no-test: resource t has type OS::Heat::TestResource, which '
                'is forbidden',
            ('mixed', 'short', 'deny'):
                'short: property "length" of resource a must be one of 8, 16',
            ('mixed', 'owned', 'warn'):
                'owned: the stack has no tag "owner=*", which is required',
            **{(name, 'few-in-project', 'deny'):
               'few-in-project: the project has 3 resources of type '
               'OS::Heat::Value, but at most 2 are allowed'
               for name in ('mixed', 'other')}}, found)

    def names(self):
        return [name for name, in self.sandbox.sql(
            'SELECT name FROM stack WHERE deleted_at IS NULL')]

    def test_violation_is_gone_after_update_and_deletion(self):
        path = self.create('fixed', a=limits.string(9), b=limits.string(9))
        self.assertEqual({('fixed', 'short', 'deny')},
                         set(self.violations()))
        self.client.put(path, {'tags': 'owner=me', 'template': limits.template(
            a=limits.string(16), bad={
                'type': 'OS::Heat::TestResource', 'depends_on': 'a',
                'properties': {'fail': True}})})
        self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        # The failed update has replaced only one of the two.
        self.assertEqual({('fixed', 'no-test', 'deny')},
                         set(self.violations()))
        self.client.put(path, {'tags': 'owner=me', 'template': limits.template(
            a=limits.string(16))})
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'],
                                   failed='UPDATE_FAILED')
        self.assertEqual({}, self.violations())
        self.client.delete(path)
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])
        self.assertEqual({}, self.violations())

    def test_hidden_value_is_not_printed(self):
        path = self.client.create_stack('hidden', {
            **limits.template(v=limits.value({'get_param': 'secret'})),
            'parameters': {'secret': {'type': 'string', 'hidden': True}}},
            parameters={'secret': SECRET}, tags='owner=me')
        self.addCleanup(self.client.wait_until_free, 'hidden')
        self.addCleanup(self.client.delete, path)
        found = self.violations(rules=limits.RULES.replace(
            '([a-z]+)*(-prod)?', '[0-9]+'))
        self.assertEqual({('hidden', 'catastrophe', 'deny')}, set(found))
        self.assertNotIn(SECRET, str(found))

    def test_stack_that_cannot_be_loaded(self):
        self.create('broken', a=limits.string())
        self.create('good', a=limits.string())
        before = self.sandbox.sql(
            'SELECT t.id, t.template FROM raw_template t JOIN stack s ON '
            "s.raw_template_id = t.id WHERE s.name = 'broken'")
        (identity, text), = before
        self.sandbox.sql('UPDATE raw_template SET template = ? WHERE id = ?',
                         text.replace('RandomString', 'Gone'), identity)
        self.addCleanup(self.sandbox.sql, 'UPDATE raw_template SET template '
                        '= ? WHERE id = ?', text, identity)
        (key, reason), = self.violations().items()
        self.assertEqual(('broken', None, None), key)
        self.assertIn('cannot be checked', reason)
        self.assertIn('OS::Heat::Gone', reason)

    def test_invalid_arguments(self):
        done = self.sandbox.run('heat-extras-manage', 'audit')
        self.assertEqual(1, done.returncode)
        self.assertIn('There are no rules', done.stderr)
        done = self.audit(rules='rules: [{name: x}]')
        self.assertEqual(1, done.returncode)
        self.assertNotIn('Traceback', done.stderr)
        self.assertEqual('', done.stdout)
        done = self.audit('--project', 'none', '-f', 'csv')
        self.assertEqual(0, done.returncode, done.stderr)


class AuditLegacyTest(AuditTest):

    settings = base.LEGACY
