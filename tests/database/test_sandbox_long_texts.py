# SPDX-License-Identifier: Apache-2.0

"""A text that the database does not store ends an operation all the same."""

from tests.database import long_texts as texts


class ThreeBytesTest(texts.Texts):
    pass


class ThreeBytesLegacyTest(texts.OnLegacyEngine, texts.Texts):
    pass


class PostgreSQLTest(texts.OnPostgreSQL, texts.Texts):
    pass


class PostgreSQLLegacyTest(texts.OnLegacyEngine, texts.OnPostgreSQL,
                           texts.Texts):
    pass
