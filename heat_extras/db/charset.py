# SPDX-License-Identifier: Apache-2.0

"""The characters that the columns of Heat's database can store.

In most clouds, tables of MySQL and MariaDB have three bytes for a character
(utf8mb3). They cannot store emoji and rare ideographs. The database is
queried once per process, for the first text that is not ASCII.
"""

import functools
import weakref

from oslo_log import log as logging

from heat_extras import sanitize

LOG = logging.getLogger(__name__)

_LAST_OF_THREE_BYTES = '\uffff'
_ALL_CHARACTERS = frozenset({'utf8mb4', 'utf16', 'utf16le', 'utf32', 'gb18030',
                             # PostgreSQL. SQL_ASCII accepts any bytes.
                             'UTF8', 'SQL_ASCII'})
_THREE_BYTES = frozenset({'utf8', 'utf8mb3', 'ucs2'})
# The columns of Heat and heat-extras that contain texts of heat-extras, and
# the character set of the connection, which can have fewer characters.
_QUERIES = {
    'mysql': 'SELECT DISTINCT character_set_name FROM '
             'information_schema.columns WHERE table_schema = DATABASE() '
             'AND character_set_name IS NOT NULL AND (table_name IN '
             "('stack', 'resource', 'event', 'snapshot') OR table_name LIKE "
             "'heat\\_extras\\_%%') UNION SELECT @@character_set_client",
    'postgresql': 'SHOW server_encoding',
}

_ASSUMED = ('utf8mb3',)
_charsets = weakref.WeakKeyDictionary()


def read_charsets(engine):
    """Query the character sets of a database.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :returns: the sorted names of character sets, or () if the database can
        store all characters.
    """
    query = _QUERIES.get(engine.dialect.name)
    if query is None:
        return ()
    with engine.connect() as connection:
        return tuple(sorted(connection.exec_driver_sql(query).scalars()))


def get_charsets(engine):
    """Return the character sets of a database. It is queried once."""
    if engine not in _charsets:
        _charsets[engine] = read_charsets(engine)
    return _charsets[engine]


def has_character(charsets, letter):
    """Return whether all given character sets have a character.

    Character sets other than Unicode are used only for ASCII.
    """
    return all(
        name in _ALL_CHARACTERS
        or letter <= (_LAST_OF_THREE_BYTES if name in _THREE_BYTES else '\x7f')
        for name in charsets)


def _heat_charsets(text):
    if text.isascii():
        return ()
    # Imported here, because tools use this module without Heat.
    from heat.db import api as db_api
    try:
        return get_charsets(db_api.get_engine())
    except Exception as error:
        # The next write raises a better error.
        LOG.warning('heat-extras: cannot query the character set of the '
                    'database (%s), so characters of more than three bytes '
                    'are not accepted.', type(error).__name__)
        return _ASSUMED


def check_storable(text_name, text):
    """Check that Heat's database can store a text.

    :param text_name: the name of the text in messages, like ``lock reason``.
    :raises ValueError: with the first character that cannot be stored.
    """
    sanitize.check_text(text_name, text)
    charsets = _heat_charsets(text)
    sanitize.check_text(text_name, text,
                        functools.partial(has_character, charsets),
                        ', '.join(charsets))


def storable(text, characters=None, size=sanitize.TEXT):
    """Convert a value to a text that Heat's database can store.

    :param text: any object. None stays None.
    :param characters: the maximum number of characters of the column; None
        for the type TEXT.
    """
    if text is None:
        return None
    text = str(text)
    return sanitize.make_storable(
        text, functools.partial(has_character, _heat_charsets(text)),
        characters, size)


def storable_line(text):
    """Convert a value to a text for a column of 255 characters."""
    return storable(text, sanitize.LINE)
