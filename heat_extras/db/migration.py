# SPDX-License-Identifier: Apache-2.0

"""Add columns and tables to Heat's database, or remove them.

The migrations have a version table of their own, so they are independent of
Heat's ``db_sync``.
"""

import os

from alembic import command
from alembic import config as alembic_config
from alembic import migration as alembic_migration
from alembic import script
import sqlalchemy

from heat_extras.db import online_ddl
from heat_extras.db import schema_check
from heat_extras import operator_errors

VERSION_TABLE = 'alembic_version_heat_extras'


class StackTableMissing(operator_errors.HeatExtrasError):
    """The database has no ``stack`` table, so it is not Heat's."""

    def __init__(self, url):
        """Make the message.

        :param url: the :class:`sqlalchemy.engine.URL`, whose password is
            hidden.
        """
        super().__init__(
            'The database %s has no table "stack": it is not Heat\'s '
            'database, or it is empty. Check [database] connection, or run '
            'heat-manage db_sync '
            'first.' % url.render_as_string(hide_password=True))


class MigrationsMissing(operator_errors.HeatExtrasError):
    """The alembic environment is missing."""


class UnknownRevision(operator_errors.HeatExtrasError):
    """The database has a revision that this package does not have."""

    def __init__(self, revision, newest):
        """Make the message.

        :param revision: the revision of the database.
        :param newest: the newest revision of this package.
        """
        super().__init__(
            'The database has revision %s of heat-extras, but this release '
            'knows only %s and older revisions. Run the command with the '
            'release that created this revision.' % (revision, newest))


def find_environment():
    """Find the alembic environment.

    In a wheel, it is inside the package. In a checkout, and so in an editable
    installation, it is beside the package.

    :returns: the path of the directory ``db_migrations``.
    :raises MigrationsMissing: if there is none.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    paths = [os.path.join(parent, 'db_migrations')
             for parent in (package, os.path.dirname(package))]
    for path in paths:
        if os.path.isfile(os.path.join(path, 'env.py')):
            return path
    raise MigrationsMissing(
        'The migrations are missing in %s. Install heat-extras again.'
        % ' and '.join(paths))


def upgrade(engine, revision='head', allow_copy=False):
    """Add the columns and tables of heat-extras to Heat's database.

    It also completes an upgrade that was interrupted.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param revision: the revision to upgrade to.
    :param allow_copy: whether MySQL and MariaDB may copy a table that they
        cannot change in an instant.
    :raises StackTableMissing: before anything is changed.
    :raises heat_extras.db.online_ddl.NotInstant: before a table is copied.
    :raises heat_extras.db.online_ddl.TableBusy: if another transaction
        locks a table for too long.
    :raises UnknownRevision: before anything is changed.
    """
    if not schema_check.has_heat_tables(engine):
        raise StackTableMissing(engine.url)
    if (read_known_revision(engine) == newest_revision()
            and schema_check.list_missing(engine)):
        # A downgrade was interrupted, or the database was edited by hand.
        # Each migration adds only missing columns and tables.
        _run(engine, command.stamp, 'base', allow_copy)
    _run(engine, command.upgrade, revision, allow_copy)


def downgrade(engine, revision='base', allow_copy=False):
    """Remove the columns and tables of heat-extras from Heat's database.

    It also completes an upgrade or downgrade that was interrupted.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param revision: the revision to downgrade to. ``base`` removes
        everything, also the version table.
    :param allow_copy: see :func:`upgrade`.
    :raises UnknownRevision: before anything is changed.
    """
    if (read_known_revision(engine) is None
            and schema_check.list_existing(engine)):
        # An upgrade was interrupted: it writes the revision at its end.
        _run(engine, command.stamp, 'head', allow_copy)
    if read_revision(engine) is not None:
        _run(engine, command.downgrade, revision, allow_copy)
    if read_revision(engine) is None:
        _drop_version_table(engine)


def read_known_revision(engine):
    """Return the revision of the database, if this package has it.

    :raises UnknownRevision: if this package does not have it.
    """
    revision = read_revision(engine)
    directory = script.ScriptDirectory.from_config(_config())
    known = [step.revision for step in directory.walk_revisions()]
    if revision not in (None, *known):
        raise UnknownRevision(revision, newest_revision())
    return revision


def read_revision(engine):
    """Return the revision of the database, or None without heat-extras.

    :raises UnknownRevision: if the database has several revisions.
    """
    with engine.connect() as connection:
        context = alembic_migration.MigrationContext.configure(
            connection, opts={'version_table': VERSION_TABLE})
        revisions = context.get_current_heads()
    if len(revisions) > 1:
        raise UnknownRevision(' and '.join(revisions), newest_revision())
    return revisions[0] if revisions else None


def newest_revision():
    """Return the newest revision of this package."""
    directory = script.ScriptDirectory.from_config(_config())
    return directory.get_current_head()


def _config():
    config = alembic_config.Config()
    # Config interpolates its options, so percent signs are doubled.
    config.set_main_option(
        'script_location', find_environment().replace('%', '%%'))
    config.set_main_option('path_separator', 'os')
    return config


def _run(engine, alembic_command, revision, allow_copy):
    config = _config()
    config.attributes[online_ddl.ALLOW_COPY] = allow_copy
    with online_ddl.short_wait_transaction(engine) as connection:
        config.attributes['connection'] = connection
        config.attributes['version_table'] = VERSION_TABLE
        alembic_command(config, revision)


def _drop_version_table(engine):
    table = sqlalchemy.Table(VERSION_TABLE, sqlalchemy.MetaData())
    with engine.begin() as connection:
        table.drop(connection, checkfirst=True)
