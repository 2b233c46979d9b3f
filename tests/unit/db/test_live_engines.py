# SPDX-License-Identifier: Apache-2.0

import datetime
import uuid

from oslo_serialization import jsonutils
from oslo_utils import timeutils
import testtools

from heat_extras.db import live_engines
from tests.unit.db import base


def add_engine(database, host, age=0, features=None, deleted=False,
               **heartbeat):
    """Insert an engine into the tables of Heat and of heat-extras.

    :param age: seconds since its last report. Heat allows 120.
    :param features: None for an engine without heat-extras.
    :returns: the ID of the engine.
    """
    now = timeutils.utcnow()
    engine_id = str(uuid.uuid4())
    database.insert('service', {
        'id': str(uuid.uuid4()), 'engine_id': engine_id, 'host': host,
        'hostname': host, 'binary': 'heat-engine', 'topic': 'engine',
        'report_interval': 60, 'created_at': now,
        'updated_at': now - datetime.timedelta(seconds=age),
        'deleted_at': now if deleted else None})
    if features is not None:
        database.insert('heat_extras_engine', {
            'engine_id': engine_id, 'host': host, 'version': '1.0',
            'heat_version': '27.0.1', 'features': jsonutils.dumps(features),
            **heartbeat})
    return engine_id


class ListLiveTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(base.HeatDatabase(extended=True))

    def test_features_of_each_engine_are_listed(self):
        add_engine(self.database, 'one', features=['stack_lock'])
        add_engine(self.database, 'two')
        first, two = live_engines.list_live(self.database.engine)
        self.assertEqual(('one', '1.0', '27.0.1', ['stack_lock']),
                         (first.host, first.version, first.heat_version,
                          first.features))
        self.assertEqual(('two', None), (two.host, two.features))

    def test_stopped_and_down_engines_are_omitted(self):
        add_engine(self.database, 'dead', age=121)
        add_engine(self.database, 'stopped', deleted=True)
        add_engine(self.database, 'late', age=100)
        self.assertEqual(
            ['late'],
            [row.host for row in live_engines.list_live(self.database.engine)])
