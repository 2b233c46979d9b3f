# SPDX-License-Identifier: Apache-2.0

"""MariaDB on a separate disk, which a test can fill."""

import os

from tests.harness import command
from tests.harness.services import mariadb


class SmallDiskMariaDB(mariadb.MariaDB):
    """A private server whose data are on a small disk.

    Only root can mount it.

    :cvar megabytes: of the disk.
    """

    megabytes = 256

    def prepare(self):
        place = os.path.join(self.directory, 'data')
        os.mkdir(place)
        self._mount(place)
        super().prepare()
        self._ballast = os.path.join(self.data, 'ballast')

    def _mount(self, place):
        command.check(['mount', '-t', 'tmpfs', '-o',
                       f'size={self.megabytes}m,mode=0700', 'tmpfs', place])
        # Registered after the process, which is therefore stopped earlier.
        self.addCleanup(command.check, ['umount', '--lazy', place])
        self._give(place)

    def command(self):
        # The disk is small, so log files must not grow.
        return [*super().command(), '--innodb-log-file-size=16M',
                # Committed data must be kept after faults.
                '--innodb-flush-log-at-trx-commit=1',
                '--innodb-temp-data-file-path=ibtmp1:12M:autoextend']

    def fill(self):
        """Fill the disk until it is freed."""
        with open(self._ballast, 'wb', buffering=0) as target:
            try:
                while True:
                    target.write(bytes(65536))
            except OSError:
                # The disk is full.
                pass

    def free(self):
        """Free space on the disk again."""
        os.unlink(self._ballast)
