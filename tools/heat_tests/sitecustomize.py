"""Turn heat-extras on before Heat's own unit tests start.

Put this directory on PYTHONPATH: stestr starts its workers as fresh
interpreters, and none of Heat's test classes can be told about a fixture.
"""

import os

if os.environ.get('HEAT_EXTRAS_TEST_FEATURES'):
    # Chooses the threading backend, before anything else can.
    import heat.tests.common  # noqa: F401

    from heat_extras import fixture

    fixture.HeatExtras(
        os.environ['HEAT_EXTRAS_TEST_FEATURES'].split(',')).setUp()
