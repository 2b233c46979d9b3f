# SPDX-License-Identifier: Apache-2.0

"""Engines with different freezes, and files that change at run time."""

import collections
import json
import os
import re

import fixtures

from tests.engines import base
from tests.functional import freeze_base
from tests.functional import templates
from tests.harness import process
from tests.harness import waiting

NAMES = ('engine-1', 'engine-2', 'engine-3')
_REFUSED = re.compile(r'rejected: freeze "([^"]+)"')
# An engine is asked in its turn.
_ROUNDS = 4


def window(name, **fields):
    return {'name': name, 'begin': freeze_base.moment(hours=-1),
            'end': freeze_base.moment(hours=1), **fields}


OLDER, NEWER, BROKEN = (
    window('older'), window('newer'), window('broken', begin='soon'))


class FreezesTest(base.CloudTestCase):
    engines = len(NAMES)

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.use_in_class(fixtures.TempDir()).path
        cls.own = f'freezes_file = {cls.folder}/{{name}}.yaml'
        cls.write()
        super().setUpClass()

    @classmethod
    def write(cls, *windows, names=NAMES):
        for name in names:
            path = os.path.join(cls.folder, f'{name}.yaml')
            with open(path + '.new', 'w') as target:
                json.dump({'freezes': windows}, target)
            os.rename(path + '.new', path)

    def setUp(self):
        super().setUp()
        self.write()
        # A stopped engine starts again with a valid file.
        self.addCleanup(self.write)
        self.path = self.client.create_stack(
            f'web-{self.id().rpartition("_")[2]}', templates.SMALL)
        self.errors = self.metric('freezes_file_errors_total'
                                  '{file="unusable"}')

    def metric(self, name):
        status, text = self.cloud.run('heat-extras-manage', 'metrics')
        self.assertEqual(0, status, text)
        return int(dict(
            line.rsplit(' ', 1) for line in text.splitlines()
            if line.startswith('heat_extras_'))[f'heat_extras_{name}'])

    def checked(self):
        _, text = self.cloud.run('heat-extras-status', 'upgrade', 'check',
                                 '--json')
        report = json.loads(text[text.index('{'):text.rindex('}') + 1])
        return next((each['result'], each['details'] or '')
                    for each in report['checks'] if each['check'] == 'Freezes')

    def until_checked(self, result, *parts):
        return self.wait_for(f'{result}: {parts}', self.checked, lambda value:
                             value[0] == result and all(
                                 part in value[1] for part in parts))[1]

    def until_quiet(self):
        self.until_checked(0, '3 live engines with freezes_file')
        self.assertEqual((0, 1), (self.metric('engines_with_unusable_freezes'),
                                  self.metric('different_freezes')))

    def refused(self):
        """Return the windows with which each engine rejects requests.

        Their logs are read until each has been asked often enough.
        """
        start = {name: len(self.cloud.log_text(name)) for name in NAMES}

        def ask():
            self.assert_status(409, self.client.patch(self.path, {}))
            return {name: collections.Counter(_REFUSED.findall(
                self.cloud.log_text(name)[start[name]:])) for name in NAMES}
        counts = waiting.until('each engine to refuse', ask,
                               lambda counts: all(sum(each.values()) >= _ROUNDS
                                                  for each in counts.values()))
        return [set(counts[name]) for name in NAMES]

    def differ(self):
        self.write(OLDER)
        self.assertEqual([{'older'}] * 3, self.refused())
        self.write(BROKEN, names=['engine-2'])
        self.write(NEWER, names=['engine-3'])

    def test_each_engine_enforces_its_own_freezes_file(self):
        self.differ()
        # Effective with the next operation. An invalid file is ignored.
        self.assertEqual([{'older'}, {'older'}, {'newer'}], self.refused())
        details = self.until_checked(
            1, 'has errors', 'Engines with different freezes')
        bad, differing = details.split('Engines with different freezes')
        self.assertIn('engine-2 (', bad)
        for name in 'engine-1', 'engine-3':
            self.assertNotIn(name, bad)
        digests = dict(re.findall(
            r'(engine-\d) \(\S+\): freezes_file (\w{12})', differing))
        self.assertEqual(digests['engine-1'], digests['engine-2'])
        self.assertNotEqual(digests['engine-1'], digests['engine-3'])
        self.assertEqual((self.errors + 1, 1, 2), (
            self.metric('freezes_file_errors_total{file="unusable"}'),
            self.metric('engines_with_unusable_freezes'),
            self.metric('different_freezes')))
        self.assertIn("freeze broken: begin: 'soon' is not valid",
                      self.cloud.log_text('engine-2'))

        self.write(NEWER)
        self.assertEqual([{'newer'}] * 3, self.refused())
        self.until_quiet()
        self.write()
        self.until_quiet()
        self.assert_status(202, self.client.patch(self.path, {}))
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_status_check_reports_freezes_of_idle_engines(self):
        self.until_quiet()
        self.write(NEWER, names=['engine-3'])
        self.until_checked(1, 'Engines with different freezes')
        self.write(BROKEN, names=['engine-2'])
        self.until_checked(1, 'has errors, or cannot be read: engine-2 (')
        self.write(NEWER)
        self.until_quiet()
        self.assertEqual(self.errors + 1, self.metric(
            'freezes_file_errors_total{file="unusable"}'))

    def test_engine_with_invalid_freezes_file_does_not_restart(self):
        self.differ()
        engine = self.cloud.engines['engine-2']
        self.assertEqual(0, engine.stop())
        error = self.assertRaises(process.NotStarted, self.cloud.start_engine,
                                  'engine-2')
        self.assertIn("freeze broken: begin: 'soon' is not valid", str(error))
        # The other engines still reject requests.
        for _ in range(_ROUNDS):
            self.assert_status(409, self.client.delete(self.path))
        self.write(NEWER)
        self.cloud.start_engine('engine-2')
        self.assertEqual([{'newer'}] * 3, self.refused())
        self.until_quiet()


class MariaDBTest(FreezesTest):
    kind = base.MARIADB


class PostgreSQLTest(FreezesTest):
    kind = base.POSTGRESQL
