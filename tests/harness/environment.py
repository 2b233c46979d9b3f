# SPDX-License-Identifier: Apache-2.0

"""Environment variables of processes that are started later."""

import os

import fixtures


class Environment(fixtures.Fixture):
    """Put variables into the environment.

    :param places: directories that Python imports from first
    :param variables: further ones
    """

    def __init__(self, *places, **variables):
        super().__init__()
        self._places = places
        self._variables = variables

    def _setUp(self):
        path = os.pathsep.join(filter(None, [
            *map(str, self._places), os.environ.get('PYTHONPATH')]))
        for name, value in {'PYTHONPATH': path, **self._variables}.items():
            self.useFixture(fixtures.EnvironmentVariable(name, str(value)))
