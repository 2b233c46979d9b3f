# SPDX-License-Identifier: Apache-2.0

"""Say once, when an engine starts, what holds nobody now."""

from oslo_db.sqlalchemy import engines
from oslo_log import log as logging

from heat_extras.db import guarded
from heat_extras.template_syntax import words

LOG = logging.getLogger(__name__)


def warn(conf, names):
    """Count what the features that are off would guard, and warn of it.

    One query for each, over the columns of Heat's table of stacks; templates
    are read of those stacks only that are marked in them. Whatever goes wrong
    with the database is Heat's to tell.

    :param names: of the features that are on.
    """
    off = [name for name in guarded.FEATURES if name not in names]
    if not off or not conf.database.connection:
        return
    try:
        counts = _counts(conf, off)
    except Exception as error:
        LOG.debug('heat-extras: what its features would guard was not '
                  'counted: %s', error)
        return
    if any(counts.values()):
        LOG.warning('%s', words.at_start(counts))


def _counts(conf, features):
    # An engine of its own: Heat's must not be made before the fork.
    engine = engines.create_engine(conf.database.connection, max_retries=0)
    try:
        with engine.connect() as connection:
            if not guarded.is_there(connection):
                return {}
            return {feature: guarded.count(connection, feature)
                    for feature in features}
    finally:
        engine.dispose()
