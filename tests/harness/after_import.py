# SPDX-License-Identifier: Apache-2.0

"""Change modules after their import, in a process with injected faults.

A ``sitecustomize.py`` runs this file, :func:`runpy.run_path`: where Python
loads that, neither this package nor the modules are there yet.
"""

import importlib.machinery
import sys


class _Finder:
    """Find modules as usual, and call a function after their import."""

    def __init__(self, acts):
        self._acts = acts

    def find_spec(self, name, path=None, target=None):
        if name not in self._acts:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        execute = spec.loader.exec_module

        def execute_and_act(module):
            execute(module)
            self._acts[name](module)

        spec.loader.exec_module = execute_and_act
        return spec


def act(acts):
    """Change modules that are imported from now on.

    :param acts: functions of the module, by its name.
    """
    sys.meta_path.insert(0, _Finder(acts))
