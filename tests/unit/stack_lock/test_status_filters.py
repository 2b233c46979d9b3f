# SPDX-License-Identifier: Apache-2.0

"""Stacks are found by the action and status that are shown."""

from heat.db import models
from oslo_config import cfg
from oslo_config import fixture as config_fixture
from sqlalchemy import orm
import testtools

from heat_extras import conf
from heat_extras.db import stack_columns
from heat_extras.stack_lock import status_filters


class NarrowTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.conf = self.useFixture(config_fixture.Config())
        conf.register_opts(cfg.CONF)
        stack_columns.map_stack_columns()

    def narrow(self, overlay, found):
        self.conf.config(group='heat_extras', status_overlay=overlay)
        query, rest = status_filters.narrow(orm.Query(models.Stack), found)
        return str(query.whereclause), rest

    def test_what_a_lock_covers(self):
        for overlay, wanted in (
                ('full', 'coalesce(stack.lock_status, stack.status) IN'),
                ('off', 'stack.status IN'),
                ('locked', 'coalesce(CASE WHEN (stack.lock_level IS NOT '
                           'NULL) THEN stack.lock_status END, stack.status)'
                           ' IN')):
            found, _ = self.narrow(overlay, {'status': 'COMPLETE'})
            self.assertThat(found, testtools.matchers.StartsWith(wanted))

    def test_several_values(self):
        found, rest = self.narrow('full', {'action': ['A', 'B'],
                                           'status': 'C'})
        self.assertEqual(2, found.count(' IN '))
        self.assertEqual({}, rest)

    def test_the_others_stay_for_heat(self):
        given = {'name': 'x', 'status': 'C'}
        _, rest = self.narrow('off', given)
        self.assertEqual({'name': 'x'}, rest)
        self.assertIn('status', given)
