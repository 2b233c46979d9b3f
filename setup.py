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


import setuptools

# The migrations stand at the top of the tree and are installed inside the
# package; pbr has no words for that in setup.cfg.
MIGRATIONS = {
    'heat_extras.db_migrations': 'db_migrations',
    'heat_extras.db_migrations.versions': 'db_migrations/versions',
}
PACKAGES = setuptools.find_packages(include=['heat_extras', 'heat_extras.*'])

setuptools.setup(
    setup_requires=['pbr>=6.0.0'],
    pbr=True,
    packages=PACKAGES + sorted(MIGRATIONS),
    package_dir=MIGRATIONS)
