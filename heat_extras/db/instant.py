# SPDX-License-Identifier: Apache-2.0

"""Changes of Heat's tables that take no time, however many rows there are.

MySQL and MariaDB can add and drop columns by changing their dictionary only
(``ALGORITHM=INSTANT``), which they refuse where they can't: old servers,
compressed tables, too many changes of the kind before. The other ways copy
the table, and Heat's writes wait meanwhile: that is for the operator to
decide.
"""

from oslo_log import log as logging

from heat_extras.db import driver
from heat_extras import errors

LOG = logging.getLogger(__name__)

# Among the attributes of alembic's configuration.
ALLOW_COPY = 'allow_copy'

# ER_UNKNOWN_ALTER_ALGORITHM, ER_ALTER_OPERATION_NOT_SUPPORTED,
# ER_ALTER_OPERATION_NOT_SUPPORTED_REASON, and MySQL's
# ER_INNODB_MAX_ROW_VERSION; MariaDB's ER_TOO_BIG_ROWSIZE, for columns that
# were dropped in an instant still take their place in a row. Others say
# which algorithm to try.
_REFUSALS = frozenset({1800, 1845, 1846, 4092, 1118})
_ADVICE = 'ALGORITHM='


class NotInstant(errors.HeatExtrasError):
    """The server cannot change a table in an instant."""

    def __init__(self, table, reason):
        """Tell what to do instead.

        :param reason: the server's own words.
        """
        super().__init__(
            f'The database server cannot change the table "{table}" in an '
            f'instant: {reason}. The table is as it was. Run the command '
            'again with --allow-copy at a quiet time: the server then '
            "copies the table, and Heat's writes wait until that is done.")


def refusal(error):
    """Tell why a server refused ALGORITHM=INSTANT.

    :param error: what SQLAlchemy or oslo.db raised for the statement.
    :returns: the server's words, or None for an error of another kind.
    """
    code, *words = driver.error_behind(error).args or (None,)
    reason = ' '.join(str(word) for word in words)
    if code in _REFUSALS or _ADVICE in reason:
        return reason.rstrip('.') or f'error {code}'
    return None


def may_copy(context):
    """Return whether the operator allowed a copy.

    :param context: alembic's migration context.
    """
    return bool(context.config.attributes.get(ALLOW_COPY))


def say_instant(table):
    """Tell that a table was changed without a copy."""
    LOG.info('Changed the table "%s" in an instant, without a copy.', table)


def say_copied(table, reason):
    """Tell that a table is going to be copied, and why."""
    LOG.warning('Copying the table "%(table)s", because the server cannot '
                'change it in an instant: %(reason)s',
                {'table': table, 'reason': reason})
