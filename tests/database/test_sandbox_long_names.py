# SPDX-License-Identifier: Apache-2.0

"""A rejection states its reason, even with many long resource names."""

import sqlalchemy

from tests.functional import update_policy_base
from tests.harness.services import mariadb
from tests.harness.services import shared

COUNT = 50
# Three bytes for each character: with the type and the words around it, so
# many take more than a column of TEXT.
KIND = 'My::' + '\u91cd' * 245
NAMES = [f'r{number:02}' + '\u6587' * 240 for number in range(COUNT)]
PROTECTED = {'type': 'OS::Heat::None',
             'update_policy': {'allow': {'replace': False}}}
EMPTY = {'heat_template_version': '2018-08-31',
         'resources': {'other': {'type': 'OS::Heat::None'}}}
FULL = {'heat_template_version': '2018-08-31',
        'resources': dict.fromkeys(NAMES, {**PROTECTED, 'type': KIND})}


class NamesTest(update_policy_base.UpdatePolicyTestCase):
    is_shared = False
    engine_settings = update_policy_base.FEATURE

    @classmethod
    def setUpClass(cls):
        made = shared.Database(mariadb.MariaDB, charset='utf8mb3')
        made.setUp()
        cls.addClassCleanup(made.cleanUp)
        cls.engine = sqlalchemy.create_engine(
            made.url, poolclass=sqlalchemy.NullPool)
        cls.settings = (cls.engine_settings
                        + f'[database]\nconnection = {made.url}\n')
        super().setUpClass()

    def test_rejection_names_as_many_resources_as_fit(self):
        path = self.create('many', FULL, environment={
            'resource_registry': {KIND: 'OS::Heat::None'}})
        reason = self.assert_refused(path, EMPTY, sorted(NAMES)[0])
        named = sum(name in reason for name in NAMES)
        self.assertGreater(named, COUNT // 2)
        self.assertLess(named, COUNT)
        self.assertIn(f'; and {COUNT - named} more.', reason)
        with self.engine.connect() as connection:
            self.assertEqual([], connection.execute(sqlalchemy.text(
                'SELECT * FROM stack_lock')).all())

    def test_rejection_escapes_names_outside_utf8mb3(self):
        # Heat stores templates in ASCII, and the type with them.
        kind = 'My::\U0001f512'
        body = {'environment': {'resource_registry': {
            kind: 'OS::Heat::RandomString'}}}
        protected = {'heat_template_version': '2018-08-31', 'resources': {
            'one': PROTECTED}}
        path = self.create('locked', protected)
        changed = {'heat_template_version': '2018-08-31', 'resources': {
            'one': {**PROTECTED, 'type': kind}}}
        reason = self.assert_refused(path, changed, **body)
        self.assertIn(r'(My::\U0001f512) would be replaced', reason)


class LegacyNamesTest(NamesTest):
    engine_settings = update_policy_base.LEGACY
