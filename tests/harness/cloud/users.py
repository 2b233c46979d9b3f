# SPDX-License-Identifier: Apache-2.0

"""The users of the cloud."""

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
# An admin of another project, whom services treat differently.
ROOT = Person('root', 'admin', 'operators')

ALL = (ALICE, BOB, EVE, OPS, MALLORY, ROOT)
BY_NAME = {person.name: person for person in ALL}
