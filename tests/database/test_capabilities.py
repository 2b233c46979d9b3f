# SPDX-License-Identifier: Apache-2.0

"""What each engine of a cloud can, on every database."""

import datetime
import types
import uuid

from heat.db import models as heat_models
from heat import version as heat_version
from oslo_config import cfg
from oslo_utils import timeutils
import sqlalchemy

from heat_extras import capabilities
from heat_extras.db import engines as db_engines
from heat_extras.db import models
from heat_extras.host import engines
from heat_extras.stack_lock import engine_check
from heat_extras.stack_lock import errors
from tests.database import base

_SERVICE = heat_models.Service.__table__


class CapabilitiesTest(base.DatabaseTest):

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

    def add_engine_of_before(self, host, **values):
        """Let one report as the release before capabilities did."""
        service = self.add_engine(host, **values)
        self.write(sqlalchemy.insert(models.engine_table).values(
            engine_id=service.engine_id, host=host, hostname=host,
            version='1.0.0', features=['all'],
            heat_version=heat_version.version_info.version_string(),
            created_at=timeutils.utcnow(), updated_at=timeutils.utcnow()))
        return service

    def write(self, statement):
        with self.engine.begin() as connection:
            connection.execute(statement)

    def report(self, host):
        service = self.add_engine(host)
        engines.report(service)
        return service

    def lacking(self, capability=capabilities.PARENT_CALL):
        return [each.partition(' ')[0] for each
                in engines.lacking(self.context, capability)]

    def check(self):
        engine_check.check_all_can(self.context, capabilities.PARENT_CALL,
                                   'Nothing can be done')

    def test_an_engine_reports_what_it_can(self):
        self.report('new')
        self.assertEqual([], self.lacking())
        self.assertEqual(['new'], self.lacking('of a release to come'))
        self.check()

    def test_a_rolling_upgrade(self):
        old = [self.add_engine_of_before(f'old-{number}')
               for number in range(2)]
        self.report('new')
        self.assertEqual(['old-0', 'old-1'], self.lacking())
        # Such an engine still honours what it knows.
        self.assertEqual([], engine_check.unguarded(self.context))
        self.write(sqlalchemy.update(_SERVICE)
                   .where(_SERVICE.c.engine_id == old[0].engine_id)
                   .values(deleted_at=timeutils.utcnow()))
        error = self.assertRaises(errors.StackLockConflict, self.check)
        self.assertIn(f'old-1 ({old[1].engine_id})', str(error))
        for other in ('old-0', 'new'):
            self.assertNotIn(other, str(error))
        self.write(sqlalchemy.update(_SERVICE)
                   .where(_SERVICE.c.engine_id == old[1].engine_id)
                   .values(updated_at=datetime.datetime(2020, 1, 1)))
        self.check()

    def test_an_engine_without_heat_extras(self):
        self.add_engine('bare')
        self.assertEqual(['bare'], self.lacking())

    def test_the_option_of_the_operator(self):
        self.add_engine_of_before('old')
        self.assertRaises(errors.StackLockConflict, self.check)
        cfg.CONF.set_override('allow_unguarded_engines', True, 'heat_extras')
        self.addCleanup(cfg.CONF.clear_override, 'allow_unguarded_engines',
                        'heat_extras')
        self.check()

    def test_reporting_again_changes_nothing(self):
        service = self.report('new')
        before = self.capabilities()
        engines.report(service)
        self.assertEqual(before, self.capabilities())
        self.assertIn(capabilities.PARENT_CALL, [name for _, name in before])

    def capabilities(self):
        with self.engine.connect() as connection:
            return sorted(connection.execute(
                sqlalchemy.select(models.capability_table)).all())

    def test_a_table_that_was_made_anew_under_an_engine(self):
        service = self.report('new')
        self.write(sqlalchemy.delete(models.capability_table))
        self.assertEqual(['new'], self.lacking())
        engines.report(service)
        self.assertEqual([], self.lacking())

    def test_an_engine_that_one_of_before_has_forgotten(self):
        # That knows nothing of the other table.
        service = self.report('stopped')
        self.write(sqlalchemy.delete(models.engine_table))
        self.assertNotEqual([], engine_check.unguarded(self.context))
        engines.report(service)
        self.assertEqual([], engine_check.unguarded(self.context))
        self.assertEqual([], self.lacking())

    def test_what_is_gone_is_forgotten(self):
        gone = self.report('gone')
        self.write(sqlalchemy.delete(_SERVICE).where(
            _SERVICE.c.engine_id == gone.engine_id))
        new = self.report('new')
        with self.engine.connect() as connection:
            self.assertEqual({new.engine_id}, db_engines.capable(
                connection, capabilities.PARENT_CALL))
