# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.


"""Check that the migrations form one line with a single head."""

import sys

from alembic import script

from heat_extras.db import migration


def main():
    """Name the heads and fail unless there is exactly one."""
    heads = script.ScriptDirectory(migration.location()).get_heads()
    if len(heads) != 1:
        print('db_migrations: found %d heads (%s), wanted one. Let each '
              'migration name the one before it as down_revision.'
              % (len(heads), ', '.join(sorted(heads))))
        return 1
    print('db_migrations has a single head: %s.' % heads[0])
    return 0


if __name__ == '__main__':
    sys.exit(main())
