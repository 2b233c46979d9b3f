# SPDX-License-Identifier: Apache-2.0

"""Fixtures for tests of heat-extras and of other projects."""

import fixtures
from oslo_config import cfg

from heat_extras import activation
from heat_extras import conf as heat_extras_conf


class HeatExtras(fixtures.Fixture):
    """Turn heat-extras on in this process, and off again at the end.

    :param features: as ``[heat_extras] features``.
    :param processes: the processes whose patches to apply: ``engine``,
        ``api``, or both.
    :param check_database: whether the database must already have the columns.

    The columns stay on Heat's mapped classes, because SQLAlchemy cannot unmap
    them. Databases that are later created from Heat's models also have them.
    """

    def __init__(self, features=('all',),
                 processes=(activation.ENGINE, activation.API),
                 check_database=False, conf=cfg.CONF):
        super().__init__()
        self.features = list(features)
        self.processes = processes
        self.check_database = check_database
        self.conf = conf

    def _setUp(self):
        heat_extras_conf.register_opts(self.conf)
        self.conf.set_override('features', self.features, 'heat_extras')
        self.addCleanup(self.conf.clear_override, 'features', 'heat_extras')
        self.addCleanup(activation.deactivate)
        for process in self.processes:
            activation.activate(self.conf, process,
                                check_database=self.check_database)
