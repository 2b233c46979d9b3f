# SPDX-License-Identifier: Apache-2.0

"""Bring Heat's database up to what heat-extras needs, and back.

The migrations have a version table of their own and never touch Heat's, so
that Heat's ``db_sync`` and ours know nothing of each other.
"""

import os

from alembic import command
from alembic import config as alembic_config
from alembic import migration as alembic_migration
from alembic import script
import sqlalchemy

from heat_extras.db import online_ddl
from heat_extras.db import schema_check
from heat_extras import errors

VERSION_TABLE = 'alembic_version_heat_extras'


class StackTableMissing(errors.HeatExtrasError):
    """The database has no ``stack`` table: Heat has not been there."""

    def __init__(self, url):
        """Name the database.

        :param url: the :class:`sqlalchemy.engine.URL`; its password is
            hidden.
        """
        super().__init__(
            'Found no table "stack" in the database %s, which should be '
            "Heat's. Run heat-manage db_sync first."
            % url.render_as_string(hide_password=True))


class MigrationsMissing(errors.HeatExtrasError):
    """The alembic environment is not where it is installed."""


class UnknownRevision(errors.HeatExtrasError):
    """The database is at a revision that this package does not bring."""

    def __init__(self, found, wanted):
        """Name both."""
        super().__init__(
            'Found revision %s of heat-extras in the database, wanted %s or '
            'an older one: another release of heat-extras has been there. '
            'Run the command of that release.' % (found, wanted))


def location():
    """Find the alembic environment.

    A wheel holds it inside the package; in a checkout, and so in an editable
    install, it stands beside the package.

    :returns: the path of the directory ``db_migrations``.
    :raises MigrationsMissing: where there is none.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places = [os.path.join(parent, 'db_migrations')
              for parent in (package, os.path.dirname(package))]
    for place in places:
        if os.path.isfile(os.path.join(place, 'env.py')):
            return place
    raise MigrationsMissing(
        'Found no migrations in %s. Install heat-extras again.'
        % ' or '.join(places))


def upgrade(engine, revision='head', allow_copy=False):
    """Add what is ours to Heat's database.

    A run that was cut off is completed, wherever that was.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param revision: how far; ``head`` is all.
    :param allow_copy: whether MySQL and MariaDB may copy a table that they
        can't change in an instant.
    :raises StackTableMissing: before anything is changed.
    :raises heat_extras.db.online_ddl.NotInstant: before a table is copied.
    :raises heat_extras.db.online_ddl.TableBusy: when another transaction
        keeps a table for long.
    :raises UnknownRevision: before anything is changed.
    """
    if not schema_check.is_heats(engine):
        raise StackTableMissing(engine.url)
    if known(engine) == head() and schema_check.missing(engine):
        # A removal that was cut off, or a database that was edited by hand:
        # each migration adds what it does not find.
        _run(engine, command.stamp, 'base', allow_copy)
    _run(engine, command.upgrade, revision, allow_copy)


def downgrade(engine, revision='base', allow_copy=False):
    """Take what is ours out of Heat's database again, whatever is there.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param revision: how far; ``base`` leaves no trace, not even the version
        table.
    :param allow_copy: as in :func:`upgrade`.
    :raises UnknownRevision: before anything is changed.
    """
    if known(engine) is None and schema_check.found(engine):
        # The revision is written last: by a run that was cut off, never.
        _run(engine, command.stamp, 'head', allow_copy)
    if current(engine) is not None:
        _run(engine, command.downgrade, revision, allow_copy)
    if current(engine) is None:
        _drop_version_table(engine)


def known(engine):
    """Return what :func:`current` does, if this package brings it.

    :raises UnknownRevision: when it does not.
    """
    found = current(engine)
    directory = script.ScriptDirectory.from_config(_config())
    if found not in (None, *(step.revision
                             for step in directory.walk_revisions())):
        raise UnknownRevision(found, head())
    return found


def current(engine):
    """Tell the revision that the database is at, None where we never were.

    :raises UnknownRevision: when it names several.
    """
    with engine.connect() as connection:
        context = alembic_migration.MigrationContext.configure(
            connection, opts={'version_table': VERSION_TABLE})
        found = context.get_current_heads()
    if len(found) > 1:
        raise UnknownRevision(' and '.join(found), head())
    return found[0] if found else None


def head():
    """Tell the newest revision that this package brings."""
    directory = script.ScriptDirectory.from_config(_config())
    return directory.get_current_head()


def _config():
    config = alembic_config.Config()
    # Config parses its options: a percent sign in a path would be a
    # placeholder.
    config.set_main_option('script_location', location().replace('%', '%%'))
    config.set_main_option('path_separator', 'os')
    return config


def _run(engine, alembic_command, revision, allow_copy):
    config = _config()
    config.attributes[online_ddl.ALLOW_COPY] = allow_copy
    with online_ddl.transaction(engine) as connection:
        config.attributes['connection'] = connection
        config.attributes['version_table'] = VERSION_TABLE
        alembic_command(config, revision)


def _drop_version_table(engine):
    table = sqlalchemy.Table(VERSION_TABLE, sqlalchemy.MetaData())
    with engine.begin() as connection:
        table.drop(connection, checkfirst=True)
