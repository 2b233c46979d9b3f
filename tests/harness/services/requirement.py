# SPDX-License-Identifier: Apache-2.0

"""Requirements of services that may not be installed."""

import glob
import os
import shutil
import unittest

REQUIRED = 'HEAT_EXTRAS_REQUIRE_SERVICES'


def find(program, package, *places):
    """Find a program of a Debian package.

    :param places: directories to look in after ``PATH``, as globs; of
        several matches the last one is taken.
    :returns: its path.
    :raises unittest.SkipTest: when it is not there; an AssertionError where
        the environment says that every service has to be there.
    """
    path = shutil.which(program)
    for place in places:
        matches = sorted(glob.glob(os.path.join(place, program)))
        path = path or (matches and matches[-1])
    if path:
        return path
    text = (f'Found no {program} in PATH or {", ".join(places) or "else"}. '
            f'Install the Debian package {package} to run this test.')
    if os.environ.get(REQUIRED):
        raise AssertionError(f'{text} {REQUIRED} is set.')
    raise unittest.SkipTest(text)
