# SPDX-License-Identifier: Apache-2.0

"""Many rows, some at a time; and written without making Heat wait.

A statement that looks for what it writes holds all that it looks at, on MySQL
and MariaDB: the whole table where no index helps, and the rows of other tables
that it asks. So rows are looked for first, and then written by their keys,
some at a time, each time in a transaction of its own.
"""

_SIZE = 500


def write(engine, keys, statement):
    """Write the rows that have some keys.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param keys: a list.
    :param statement: makes the statement for some of the keys.
    :returns: how many rows were written.
    """
    written = 0
    for some in split(keys):
        with engine.begin() as connection:
            written += connection.execute(statement(some)).rowcount
    return written


def split(keys):
    """Split a list of keys into lists for one statement each."""
    return (keys[start:start + _SIZE] for start in range(0, len(keys), _SIZE))
