# SPDX-License-Identifier: Apache-2.0

"""Fixtures that are created once for all tests of a class."""

import fixtures


class ClassFixtures:
    """Add fixtures of classes to a test case, like those of single tests."""

    @classmethod
    def use_in_class(cls, fixture):
        """Set up a fixture that is cleaned up after the last test.

        :returns: the fixture
        """
        # useFixture() hides the original exception behind another one.
        fixture.setUp()
        cls.addClassCleanup(fixture.cleanUp)
        return fixture

    @classmethod
    def write_for_class(cls, name, text):
        """Write a file that exists until the last test.

        :returns: its path, in a directory of its own
        """
        path = cls.use_in_class(fixtures.TempDir()).join(name)
        with open(path, 'w') as target:
            target.write(text)
        return path
