# SPDX-License-Identifier: Apache-2.0

"""Turn heat-extras on before Heat's own unit tests start.

Put this directory on PYTHONPATH: stestr starts its workers as fresh
interpreters, and none of Heat's test classes can be told about a fixture.
"""

import os

if os.environ.get('HEAT_EXTRAS_TEST_FEATURES'):
    # Chooses the threading backend, before anything else can.
    import heat.tests.common  # noqa: F401

    from heat.db import models as heat_models
    import sqlalchemy

    from heat_extras.db import models
    from heat_extras import fixture

    @sqlalchemy.event.listens_for(heat_models.BASE.metadata, 'after_create')
    def _create_our_tables(target, connection, **keywords):
        # Heat's tests make their database from Heat's models alone.
        models.metadata.create_all(connection)

    fixture.HeatExtras(
        os.environ['HEAT_EXTRAS_TEST_FEATURES'].split(',')).setUp()
