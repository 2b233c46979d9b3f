# SPDX-License-Identifier: Apache-2.0

"""Write many rows in batches, without making Heat wait.

On MySQL and MariaDB, a statement that searches for the rows to write locks
all rows that it reads: the whole table if no index is used, and the rows of
other tables in its subqueries. So the rows are queried first, and then written
by their keys in batches, each in a transaction of its own.
"""

_BATCH_SIZE = 500


def write_in_batches(engine, keys, statement):
    """Write the rows with the given keys.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param keys: a list.
    :param statement: a function that makes the statement for a list of keys.
    :returns: the number of rows that were written.
    """
    written = 0
    for batch in split_keys(keys):
        with engine.begin() as connection:
            written += connection.execute(statement(batch)).rowcount
    return written


def split_keys(keys):
    """Split a list of keys into lists for one statement each."""
    return (keys[start:start + _BATCH_SIZE]
            for start in range(0, len(keys), _BATCH_SIZE))
