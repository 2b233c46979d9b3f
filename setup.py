# SPDX-License-Identifier: Apache-2.0

import setuptools

# The migrations stand at the top of the tree and are installed inside the
# package; setup.cfg has no words for one package that is found elsewhere.
MIGRATIONS = {
    'heat_extras.db_migrations': 'db_migrations',
    'heat_extras.db_migrations.versions': 'db_migrations/versions',
}
PACKAGES = setuptools.find_packages(include=['heat_extras', 'heat_extras.*'])

setuptools.setup(
    packages=PACKAGES + sorted(MIGRATIONS),
    package_dir=MIGRATIONS)
