# SPDX-License-Identifier: Apache-2.0

"""The reports of the engines of a cloud, on every database."""

import datetime
import types
import uuid

from heat.db import models as heat_models
from oslo_config import cfg
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import live_engines
from heat_extras.db import models
from heat_extras.heat_internals import heartbeat
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_request
from tests.database import base
from tests.harness import databases

_SERVICE = heat_models.Service.__table__


class HeartbeatTest(base.DatabaseTest):

    scenarios = databases.ONE_ISOLATION

    def setUp(self):
        super().setUp()
        cfg.CONF.set_override('features', ['all'], 'heat_extras')
        self.addCleanup(cfg.CONF.clear_override, 'features', 'heat_extras')

    def add_engine(self, host, age=0):
        """Let an engine report to Heat's table of services.

        :returns: what stands for it.
        """
        service = types.SimpleNamespace(
            engine_id=str(uuid.uuid4()), host=host, hostname=host)
        now = timeutils.utcnow()
        self.write(sqlalchemy.insert(_SERVICE).values(
            id=str(uuid.uuid4()), engine_id=service.engine_id, host=host,
            hostname=host, binary='heat-engine', topic='engine',
            report_interval=60, created_at=now,
            updated_at=now - datetime.timedelta(seconds=age)))
        return service

    def write(self, statement):
        with self.engine.begin() as connection:
            connection.execute(statement)

    def report(self, host):
        service = self.add_engine(host)
        heartbeat.record_engine(service)
        return service

    def unguarded(self):
        return [each.partition(' ')[0] for each
                in heartbeat.describe_engines_without(
                    self.context, 'stack_lock')]

    def check(self):
        lock_request.check_all_guarded(self.context,
                                       'Nothing can be done')

    def test_engine_reports_its_features(self):
        self.report('new')
        self.assertEqual([], self.unguarded())
        self.assertFalse(
            heartbeat.has_engine_without_heat_extras(self.context))
        self.check()

    def test_request_is_rejected_until_unguarded_engines_are_gone(self):
        bare = [self.add_engine(f'bare-{number}') for number in range(2)]
        self.report('new')
        self.assertEqual(['bare-0', 'bare-1'], self.unguarded())
        self.assertTrue(heartbeat.has_engine_without_heat_extras(self.context))
        self.write(sqlalchemy.update(_SERVICE)
                   .where(_SERVICE.c.engine_id == bare[0].engine_id)
                   .values(deleted_at=timeutils.utcnow()))
        error = self.assertRaises(errors.StackLockConflict, self.check)
        self.assertIn(f'bare-1 ({bare[1].engine_id})', str(error))
        for other in ('bare-0', 'new'):
            self.assertNotIn(other, str(error))
        self.write(sqlalchemy.update(_SERVICE)
                   .where(_SERVICE.c.engine_id == bare[1].engine_id)
                   .values(updated_at=datetime.datetime(2020, 1, 1)))
        self.check()
        self.assertFalse(
            heartbeat.has_engine_without_heat_extras(self.context))

    def test_engine_without_feature_is_unguarded(self):
        cfg.CONF.set_override('features', ['guards'], 'heat_extras')
        self.report('other')
        self.assertEqual(['other'], self.unguarded())
        self.assertFalse(
            heartbeat.has_engine_without_heat_extras(self.context))

    def test_allow_unguarded_engines_option(self):
        self.add_engine('bare')
        self.assertRaises(errors.StackLockConflict, self.check)
        cfg.CONF.set_override('allow_unguarded_engines', True, 'heat_extras')
        self.addCleanup(cfg.CONF.clear_override, 'allow_unguarded_engines',
                        'heat_extras')
        self.check()

    def ids(self):
        with self.engine.connect() as connection:
            return set(connection.scalars(
                sqlalchemy.select(models.engine_table.c.engine_id)))

    def test_second_report_adds_no_row(self):
        service = self.report('new')
        heartbeat.record_engine(service)
        self.assertEqual({service.engine_id}, self.ids())

    def test_engine_with_wrong_clock_is_live_until_it_stops_to_report(self):
        service = self.add_engine('late', age=180)
        heartbeat.record_engine(service)
        with self.engine.connect() as connection:
            self.assertEqual(['late'], [
                row.host for row in live_engines.read_live(connection)])
        self.write(sqlalchemy.update(models.engine_table).values(
            updated_at=datetime.datetime(2020, 1, 1)))
        self.write(sqlalchemy.update(_SERVICE).values(
            updated_at=timeutils.utcnow() + datetime.timedelta(seconds=180)))
        with self.engine.connect() as connection:
            self.assertEqual([], live_engines.read_live(connection))

    def test_engine_reports_again_after_table_was_emptied(self):
        service = self.report('new')
        self.write(sqlalchemy.delete(models.engine_table))
        self.assertEqual(['new'], self.unguarded())
        heartbeat.record_engine(service)
        self.assertEqual([], self.unguarded())

    def test_row_of_removed_engine_is_deleted(self):
        gone = self.report('gone')
        self.write(sqlalchemy.delete(_SERVICE).where(
            _SERVICE.c.engine_id == gone.engine_id))
        new = self.report('new')
        self.assertEqual({new.engine_id}, self.ids())
