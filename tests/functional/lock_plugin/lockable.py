# SPDX-License-Identifier: Apache-2.0

"""A third party's resource plugin that takes part in locks.

It is loaded by ``plugin_dirs`` and imports nothing of heat-extras. Its
service is a directory: a door is a file, and holds ``open`` or who has bolted
it. What is asked of a door takes a while, and is noted in ``journal``; it is
refused where there is a file ``jammed``, or one of that and the door's id, and
takes until the file is gone that ``lock waits`` named when it was asked. With
a file ``reply lost``, it is done, but fails; with ``exits``, the handler calls
``sys.exit``.
"""

import os
import sys

from heat.engine import properties
from heat.engine import resource

OPEN, OURS = 'open', 'bolted by heat'


class Door(resource.Resource):
    properties_schema = {
        'directory': properties.Schema(properties.Schema.STRING,
                                       required=True),
        'name': properties.Schema(properties.Schema.STRING)}

    def handle_create(self):
        self.resource_id_set(self.physical_resource_name())
        self._write(OPEN)

    def handle_delete(self):
        if self.resource_id is None or not os.path.exists(self._path()):
            return
        if self._read() != OPEN:
            raise ValueError(f'the door is {self._read()}')
        os.remove(self._path())

    def find_lock(self):
        holder = self._read()
        return None if holder == OPEN else (holder, holder == OURS)

    def handle_lock(self, level):
        return self._turn('lock', OURS)

    def handle_unlock(self):
        return self._turn('unlock', OPEN)

    def check_lock_complete(self, wanted):
        return self._is_turned(wanted)

    check_unlock_complete = check_lock_complete

    def _turn(self, verb, wanted):
        for name in ('jammed', f'jammed {self.resource_id}'):
            if os.path.exists(self._path(name)):
                raise ValueError('the door is jammed')
        if os.path.exists(self._path('exits')):
            sys.exit('the door exits')
        if os.path.exists(self._path('reply lost')):
            self._write(wanted)
            raise ValueError('the reply is lost')
        with open(self._path('journal'), 'a') as journal:
            journal.write(f'{verb} {self.resource_id}\n')
        return [self._waits_for(verb), wanted, 2]

    def _waits_for(self, verb):
        try:
            with open(self._path(f'{verb} waits')) as source:
                return self._path(source.read())
        except FileNotFoundError:
            return self._path('nothing')

    def _is_turned(self, turn):
        turn[2] -= 1
        if turn[2] > 0 or os.path.exists(turn[0]):
            return False
        self._write(turn[1])
        return True

    def _path(self, name=None):
        return os.path.join(self.properties['directory'],
                            name or self.resource_id)

    def _read(self):
        with open(self._path()) as source:
            return source.read()

    def _write(self, text):
        with open(self._path(), 'w') as target:
            target.write(text)


class Gate(Door):
    """A door whose state cannot be read."""

    find_lock = None


def resource_mapping():
    return {'Test::Door': Door, 'Test::Gate': Gate}
