# SPDX-License-Identifier: Apache-2.0

"""Operations end even if the database cannot store their text."""

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
