# SPDX-License-Identifier: Apache-2.0

"""Consumers, and their commands for operations."""

import json
import os
import sys
import types

from tests.consumers import ansible
from tests.consumers import cases
from tests.consumers import environments
from tests.consumers import golang
from tests.consumers import magnum
from tests.consumers import scenarios

# The default timeout of ``update_stack(wait=True)``.
_SDK_BUGS = types.MappingProxyType({
    scenarios.BAD_UPDATE: cases.FALSE_SUCCESS})
_PROGRAMS = os.path.join(os.path.dirname(__file__), 'programs')


class Consumer:
    """Software that creates, updates and deletes a stack, and waits.

    :cvar environment: where it meets Heat
    :cvar scenario: what it operates on
    :cvar bugs: verdicts by operation that are its own, and reported
        (``doc/upstream-consumers.rst``)
    """

    environment = environments.SandboxEnvironment
    scenario = scenarios.Scenario
    bugs = types.MappingProxyType({})

    def words(self, scenario):
        """Return the command for the operation of a scenario."""
        raise NotImplementedError

    def os_environ(self, scenario):
        """Return all environment variables of the command."""
        return scenario.environment.os_environ(scenario.project)


class Program(Consumer):
    """A library, with a program that uses it as its users do."""

    program = ''

    def words(self, scenario):
        return [sys.executable, os.path.join(_PROGRAMS, self.program),
                scenario.operation, scenarios.NAME, scenario.template_path,
                json.dumps(scenarios.PARAMETERS[scenario.operation])]


class CloudLayer(Program):
    program = 'sdk_cloud_layer.py'
    bugs = _SDK_BUGS


class Proxy(Program):
    program = 'sdk_proxy.py'


class Gophercloud(Program):
    def words(self, scenario):
        return [golang.built('gophercloud'), *super().words(scenario)[2:]]


class Installed(Consumer):
    """Software in a separate environment.

    :cvar module: has its command
    """

    module = None

    def words(self, scenario):
        return self.module.words(scenario)


class Ansible(Installed):
    module = ansible
    bugs = _SDK_BUGS

    def os_environ(self, scenario):
        return {**super().os_environ(scenario), **ansible.environment()}


class Magnum(Installed):
    module = magnum
    environment = magnum.Environment
    scenario = magnum.Scenario
    bugs = types.MappingProxyType({scenarios.DELETE: cases.UNEXPLAINED})
