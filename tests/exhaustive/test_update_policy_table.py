# SPDX-License-Identifier: Apache-2.0

"""Every combination of the table in reference/update-policy-rules.rst."""

import copy
import json
import pathlib
import re

from tests.exhaustive import update_policy_rows as rows
from tests.functional import update_policy_base
from tests import template_guide

_PAGE = (pathlib.Path(__file__).parents[2] / 'doc' / 'source'
         / 'reference' / 'update-policy-rules.rst')
_REJECTED = 'rejected'


def _files(documents):
    return {name: json.dumps(document)
            for name, document in documents.items()}


def _table():
    """Read the table: by row, by policy, whether the policy rejects it."""
    return {row[0]: _rejections(*row[1:]) for row
            in template_guide.simple_table(_PAGE.read_text())[1:]}


def _rejections(replace, update):
    """Return what the page says of the other policies, beside the two."""
    return {'replace: false': replace == _REJECTED,
            'update: false': update == _REJECTED,
            'both false': _REJECTED in (replace, update),
            'both true': False, 'no policy': False}


TABLE = _table()


class TableTest(update_policy_base.UpdatePolicyTestCase):

    settings = None

    def start(self, title):
        self.row = rows.ROWS[title]
        outcomes = dict(zip(rows.NAMES, TABLE[title].values(), strict=True))
        self.refused = [name for name in outcomes if outcomes[name]]
        self.allowed = [name for name in outcomes if not outcomes[name]]
        name = 'row-%d' % list(rows.ROWS).index(title)
        return self.create(name, self.row.template(),
                           files=_files(rows.FILES),
                           environment=rows.ENVIRONMENT)

    def body(self, names):
        return {'files': _files(self.row.files(names)),
                'environment': rows.ENVIRONMENT,
                'parameters': self.row.parameters(names)}

    def named(self, text):
        """Return the resources of the template that a text names."""
        return sorted(set(re.findall(r'resource (r\d)\b', text)))

    def check(self, title):
        """Preview it, try it, and then do only what is allowed."""
        path = self.start(title)
        self.row.prepare(self, path, rows.NAMES)
        changed, body = self.row.changed(rows.NAMES), self.body(rows.NAMES)
        reasons = self.restricted(path, changed, **body)
        self.assertEqual(self.refused, self.named(' '.join(reasons)))
        if self.refused:
            reason = self.assert_refused(path, changed, **body)
            self.assertEqual(self.refused, self.named(reason))
        self.row.prepare(self, path, self.allowed)
        self.update(path, self.row.changed(self.allowed),
                    **self.body(self.allowed))

    def test_each_table_row_and_column_has_a_test(self):
        self.assertEqual(list(rows.ROWS), list(TABLE))
        for answers in TABLE.values():
            self.assertEqual(list(rows.POLICIES), list(answers))

    def test_external_id(self):
        path = self.start('gives it an external_id')
        changed = self.row.changed(rows.NAMES)
        self.assertEqual([], self.restricted(path, changed))
        reason = self.update(path, changed, 'UPDATE_FAILED')
        self.assertIn('external_id', reason)

    def test_restore(self):
        path = self.start('restores a snapshot with another value')
        snapshot = self.client.post(path + '/snapshots', {'name': 's'})
        self.client.wait_for_stack(path, ['SNAPSHOT_COMPLETE'])
        changed = self.row.changed(rows.NAMES)
        for resource in changed['resources'].values():
            resource.pop('update_policy', None)
        self.update(path, changed)
        self.update(path, self.row.changed(rows.NAMES))
        before = self.resources(path)
        answer = self.client.post('%s/snapshots/%s/restore' % (
            path, snapshot.json()['id']))
        self.assertEqual(202, answer.status_code, answer.text)
        reason = self.settle(path, 'RESTORE_FAILED')
        self.assertEqual(self.refused, self.named(reason))
        self.assertEqual(before, self.resources(path))

    def test_update_by_nested_stack_id(self):
        path = self.start('removes it through the id of the nested stack')
        for name in rows.NAMES:
            nested = self.resource(path, name)['physical_resource_id']
            nested = self.client.get('/stacks/' + nested).json()['stack']
            child = '/stacks/%s/%s' % (nested['stack_name'], nested['id'])
            template = copy.deepcopy(rows.FILES[f'{name}.yaml'])
            del template['resources']['inner']
            if name in self.refused:
                reason = self.assert_refused(child, template)
                self.assertIn(f'resource {name}/inner', reason)
            else:
                self.update(child, template)

    def test_scaling_signal(self):
        path = self.start('is a scaling signal that removes its member')
        groups = {name: self.resource(path, name)['physical_resource_id']
                  for name in rows.NAMES}
        before = {name: self.resources(self.child(group))
                  for name, group in groups.items()}
        for name, group in groups.items():
            self.client.post(f'{path}/resources/{name}_policy/signal')
            if name in self.refused:
                self.settle(self.child(group), 'UPDATE_FAILED')
                self.assertEqual(before[name],
                                 self.resources(self.child(group)))
            else:
                self.settle(self.child(group), 'UPDATE_COMPLETE')

    def child(self, stack_id):
        stack = self.client.get('/stacks/' + stack_id).json()['stack']
        return '/stacks/%s/%s' % (stack['stack_name'], stack['id'])


_OWN_TESTS = (rows.External, rows.NestedId, rows.Signal)


def _add_tests(test_class, titles):
    for title in titles:
        def test(self, title=title):
            self.check(title)
        setattr(test_class,
                'test_update_that_' + re.sub(r'\W+', '_', title), test)


_add_tests(TableTest, [
    title for title, row in rows.ROWS.items()
    if not isinstance(row, _OWN_TESTS) and 'snapshot' not in title])
