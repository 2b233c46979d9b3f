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

"""Which SQL statements a piece of code sends."""

import fixtures
import sqlalchemy

_COUNTED = ('SELECT', 'UPDATE', 'INSERT', 'DELETE', 'WITH')


class Statements(fixtures.Fixture):
    """Collect what is sent through an engine, a bulk insert as one.

    :ivar sent: the statements, without those that only keep the
        connection.
    """

    def __init__(self, engine):
        super().__init__()
        self._engine = engine
        self.sent = []

    def _setUp(self):
        arguments = (self._engine, 'before_cursor_execute', self._note)
        sqlalchemy.event.listen(*arguments)
        self.addCleanup(sqlalchemy.event.remove, *arguments)

    def _note(self, connection, cursor, statement, parameters, context,
              executemany):
        text = statement.lstrip()
        if text.startswith(_COUNTED) and text != 'SELECT 1':
            self.sent.append(text)
