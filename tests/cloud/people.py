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

"""Who uses the cloud."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Person:
    """A user with one role in one project."""

    name: str
    role: str
    project: str = 'demo'

    @property
    def password(self):
        return f'{self.name}-secret'


ALICE = Person('alice', 'member')
BOB = Person('bob', 'member')
EVE = Person('eve', 'reader')
OPS = Person('ops', 'admin')
MALLORY = Person('mallory', 'member', 'other')
# An admin who is not of the project; the services tell the two apart.
ROOT = Person('root', 'admin', 'operators')

ALL = (ALICE, BOB, EVE, OPS, MALLORY, ROOT)
BY_NAME = {person.name: person for person in ALL}
