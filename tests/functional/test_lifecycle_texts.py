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

"""A text that the database does not store ends an operation all the same."""

from tests.functional import lifecycle_texts as texts


class ThreeBytesTest(texts.Texts):
    pass


class ThreeBytesLegacyTest(texts.OnLegacyEngine, texts.Texts):
    pass


class PostgreSQLTest(texts.OnPostgreSQL, texts.Texts):
    pass


class PostgreSQLLegacyTest(texts.OnLegacyEngine, texts.OnPostgreSQL,
                           texts.Texts):
    pass
