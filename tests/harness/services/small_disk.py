# SPDX-License-Identifier: Apache-2.0

"""A MariaDB on a disk of its own, which a test can fill."""

import os

from tests.harness import command
from tests.harness.services import mariadb


class SmallDiskMariaDB(mariadb.MariaDB):
    """A private server whose data are alone on a small disk.

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
        # After the process, which is stopped later and undone before.
        self.addCleanup(command.check, ['umount', '--lazy', place])
        self._give(place)

    def command(self):
        # The disk is small, and no file of the logs is to grow.
        return [*super().command(), '--innodb-log-file-size=16M',
                # What it has acknowledged is to outlive its faults.
                '--innodb-flush-log-at-trx-commit=1',
                '--innodb-temp-data-file-path=ibtmp1:12M:autoextend']

    def fill(self):
        """Leave no room on the disk, until it is freed."""
        with open(self._ballast, 'wb', buffering=0) as target:
            try:
                while True:
                    target.write(bytes(65536))
            except OSError:
                # That was all of it.
                pass

    def free(self):
        """Make room again."""
        os.unlink(self._ballast)
