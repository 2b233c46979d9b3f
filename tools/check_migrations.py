# SPDX-License-Identifier: Apache-2.0

"""Check that the migrations form one line with a single head."""

import sys

from alembic import script

from heat_extras.db import migration


def main():
    """Name the heads and fail unless there is exactly one."""
    heads = script.ScriptDirectory(migration.find_environment()).get_heads()
    if len(heads) != 1:
        print('db_migrations: found %d heads (%s), wanted one. Let each '
              'migration name the one before it as down_revision.'
              % (len(heads), ', '.join(sorted(heads))))
        return 1
    print('db_migrations has a single head: %s.' % heads[0])
    return 0


if __name__ == '__main__':
    sys.exit(main())
