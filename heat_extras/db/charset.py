# SPDX-License-Identifier: Apache-2.0

"""Which characters the columns of Heat's database take.

Tables of MySQL and MariaDB have three bytes for a character in most clouds
(utf8mb3), which leaves out emoji and rare ideographs. It is asked once per
process, and not before there is a text that is not ASCII.
"""

import functools
import weakref

from oslo_log import log as logging

from heat_extras import sanitize

LOG = logging.getLogger(__name__)

_LAST_OF_THREE_BYTES = '\uffff'
_EVERYTHING = frozenset({'utf8mb4', 'utf16', 'utf16le', 'utf32', 'gb18030',
                         # PostgreSQL; the second one takes any bytes.
                         'UTF8', 'SQL_ASCII'})
_THREE_BYTES = frozenset({'utf8', 'utf8mb3', 'ucs2'})
# Ours and Heat's columns that hold texts of ours, and what the client sends:
# a connection can have fewer characters than the tables.
_QUERIES = {
    'mysql': 'SELECT DISTINCT character_set_name FROM '
             'information_schema.columns WHERE table_schema = DATABASE() '
             'AND character_set_name IS NOT NULL AND (table_name IN '
             "('stack', 'resource', 'event', 'snapshot') OR table_name LIKE "
             "'heat\\_extras\\_%%') UNION SELECT @@character_set_client",
    'postgresql': 'SHOW server_encoding',
}

_NOT_KNOWN = ('utf8mb3',)
_known = weakref.WeakKeyDictionary()


def names(engine):
    """Ask what the database calls the characters that it takes.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :returns: names of character sets, sorted; none for what takes all.
    """
    query = _QUERIES.get(engine.dialect.name)
    if query is None:
        return ()
    with engine.connect() as connection:
        return tuple(sorted(connection.exec_driver_sql(query).scalars()))


def of(engine):
    """Return the character sets of a database, which is asked once."""
    if engine not in _known:
        _known[engine] = names(engine)
    return _known[engine]


def takes(charsets, letter):
    """Return whether all of some character sets have a character.

    Of other sets than those of Unicode, ASCII alone is used.
    """
    return all(
        name in _EVERYTHING
        or letter <= (_LAST_OF_THREE_BYTES if name in _THREE_BYTES else '\x7f')
        for name in charsets)


def _of_heat(text):
    if text.isascii():
        return ()
    # Only here: tools ask databases without loading Heat.
    from heat.db import api as db_api
    try:
        return of(db_api.get_engine())
    except Exception as error:
        # What is written next has a better error for it.
        LOG.warning('heat-extras: the database could not be asked for its '
                    'character set (%s); three bytes are assumed for each '
                    'character', type(error).__name__)
        return _NOT_KNOWN


def check(what, text):
    """Insist on a text that Heat's database takes.

    :param what: names it, like ``lock reason``.
    :raises ValueError: naming the first character that is in the way.
    """
    sanitize.check(what, text)
    charsets = _of_heat(text)
    sanitize.check(what, text, functools.partial(takes, charsets),
                   ', '.join(charsets))


def storable(text, characters=None, size=sanitize.TEXT):
    """Make a text that Heat's database takes, whatever it was.

    :param text: anything that has a text; None stays None.
    :param characters: how many the column takes, None for a TEXT.
    """
    if text is None:
        return None
    text = str(text)
    return sanitize.storable(
        text, functools.partial(takes, _of_heat(text)), characters, size)


def line(text):
    """Make a text that a column of 255 characters takes."""
    return storable(text, sanitize.LINE)
