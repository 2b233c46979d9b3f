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

"""What to do about a service that is not installed."""

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
    found = shutil.which(program)
    for place in places:
        matches = sorted(glob.glob(os.path.join(place, program)))
        found = found or (matches and matches[-1])
    if found:
        return found
    text = (f'Found no {program} in PATH or {", ".join(places) or "else"}. '
            f'Install the Debian package {package} to run this test.')
    if os.environ.get(REQUIRED):
        raise AssertionError(f'{text} {REQUIRED} is set.')
    raise unittest.SkipTest(text)
