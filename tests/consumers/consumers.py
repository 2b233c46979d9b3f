# SPDX-License-Identifier: Apache-2.0

"""Consumers: their releases, and their commands for operations."""

from importlib import metadata
import json
import os
import sys
import types

from tests.consumers import ansible
from tests.consumers import cases
from tests.consumers import environments
from tests.consumers import golang
from tests.consumers import magnum
from tests.consumers import pkgcloud
from tests.consumers import scenarios
from tests.consumers import tacker
from tests.consumers import vnfm
from tests.harness import command

# The default timeout of ``update_stack(wait=True)``.
_SDK_BUGS = types.MappingProxyType({
    scenarios.BAD_UPDATE: cases.FALSE_SUCCESS})
_PROGRAMS = os.path.join(os.path.dirname(__file__), 'programs')


class Consumer:
    """Software that creates, updates and deletes a stack, and waits.

    :cvar name: the word for it at the terminal
    :cvar title: what it is called on the page
    :cvar packages: what its release is told by
    :cvar waits: how it waits, in words
    :cvar environment: where it meets Heat
    :cvar scenario: what it operates on
    :cvar bugs: verdicts by operation that are its own, and reported
        (``doc/upstream-consumers.rst``)
    """

    name = title = waits = None
    packages = ()
    environment = environments.SandboxEnvironment
    scenario = scenarios.Scenario
    bugs = types.MappingProxyType({})

    def release(self):
        """Return the exact release that runs."""
        return ', '.join(f'{package} {metadata.version(package)}'
                         for package in self.packages)

    def told(self):
        """Return the sentence about how the consumer waits."""
        return f'{self.waits[0].upper()}{self.waits[1:]}.'

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
    name = 'sdk'
    title = 'openstacksdk, cloud layer'
    packages = ('openstacksdk',)
    waits = ('``create_stack``, ``update_stack`` and ``delete_stack`` with '
             '``wait=True`` wait for events; a failed operation raises '
             'nothing, its user looks at the status that comes back')
    program = 'sdk_cloud_layer.py'
    bugs = _SDK_BUGS


class Proxy(Program):
    name = 'sdk-proxy'
    title = 'openstacksdk, proxy'
    packages = ('openstacksdk',)
    waits = ('``wait_for_status`` waits until ``stack_status`` is the one '
             'wanted, or one that its user named as a failure')
    program = 'sdk_proxy.py'


class HeatClient(Program):
    name = 'heatclient'
    title = 'python-heatclient'
    packages = ('python-heatclient',)
    waits = ('``poll_for_events`` without an action: the first event of the '
             'stack that is ``*_COMPLETE`` or ``*_FAILED`` ends it')
    program = 'heatclient_events.py'


class Gophercloud(Program):
    name = 'gophercloud'
    title = 'gophercloud'
    waits = ('``WaitFor`` with a function of its user, here one that knows '
             "Heat's own statuses; it is called once a second")
    package = 'github.com/gophercloud/gophercloud/v2'

    def release(self):
        return f'{self.name} {golang.release(self.package)}'

    def words(self, scenario):
        return [golang.built(self.name), *super().words(scenario)[2:]]


class Terraform(Gophercloud):
    name = 'terraform'
    title = "Terraform's provider"
    waits = ('asks for ``stack_status``; one that it does not expect is an '
             'error')
    package = ('github.com/terraform-provider-openstack/'
               'terraform-provider-openstack/v3')

    def release(self):
        return (f'terraform-provider-openstack {golang.release(self.package)}'
                ', its own plan and apply, without Terraform')

    def os_environ(self, scenario):
        return {**super().os_environ(scenario),
                # As a stack is imported.
                'STACK_ID': (scenario.path or '').rpartition('/')[2]}


class OpenStackClient(Consumer):
    name = 'openstackclient'
    title = 'python-openstackclient'
    packages = ('python-openstackclient', 'python-heatclient')
    waits = '``openstack stack create|update|delete --wait``, by events'

    def words(self, scenario):
        if scenario.operation == scenarios.DELETE:
            arguments = ['delete', '--yes', '--wait', scenarios.NAME]
        else:
            arguments = self._arguments(scenario)
        return [command.program('openstack'), 'stack', *arguments]

    def _arguments(self, scenario):
        parameters = [
            word for name, value
            in scenarios.PARAMETERS[scenario.operation].items()
            for word in ('--parameter', f'{name}={value}')]
        first = (['create'] if scenario.operation == scenarios.CREATE
                 else ['update', '--rollback', 'enabled'])
        return [*first, '--wait', '-t', scenario.template_path, *parameters,
                scenarios.NAME]


class Pkgcloud(Program):
    name = 'pkgcloud'
    title = 'pkgcloud'
    waits = ('``setWait`` with a function of its user, here one that knows '
             "Heat's own statuses; what goes wrong in asking it ignores")

    def release(self):
        return f'pkgcloud {pkgcloud.release()}'

    def words(self, scenario):
        return [*pkgcloud.words(), *super().words(scenario)[2:]]

    def os_environ(self, scenario):
        return {**super().os_environ(scenario), **pkgcloud.environment()}


class Installed(Consumer):
    """Software in a separate environment.

    :cvar module: tells its release, and how it is called
    """

    module = None

    def release(self):
        return self.module.release()

    def words(self, scenario):
        return self.module.words(scenario)


class Ansible(Installed):
    name = 'ansible'
    title = 'Ansible, openstack.cloud'
    module = ansible
    waits = ('the module ``openstack.cloud.stack`` waits by the cloud layer '
             'of openstacksdk')
    bugs = _SDK_BUGS

    def os_environ(self, scenario):
        return {**super().os_environ(scenario), **ansible.environment()}


class Magnum(Installed):
    name = 'magnum'
    title = 'Magnum, clusters by Heat'
    module = magnum
    waits = ('the conductor looks at stacks every 10 seconds, and its user at '
             'the status of the cluster')
    environment = magnum.Environment
    scenario = magnum.Scenario
    bugs = types.MappingProxyType({scenarios.DELETE: cases.UNEXPLAINED})


class Tacker(Installed):
    name = 'tacker'
    title = "Tacker, version 2's client of Heat"
    module = tacker
    waits = ('``HeatClient`` asks for ``stack_status`` every 5 seconds; one '
             'that it does not expect is an error')


class TackerServer(Installed):
    name = 'tacker-server'
    title = 'Tacker, VNFs by Heat'
    module = vnfm
    waits = ('its conductor looks at ``stack_status`` every 5 seconds; its '
             "user looks at the operation's ``operationState``")
    environment = vnfm.Environment
    scenario = vnfm.Scenario


ALL = tuple(kind() for kind in (
    CloudLayer, Proxy, HeatClient, OpenStackClient, Ansible, Gophercloud,
    Terraform, Pkgcloud, Magnum, Tacker, TackerServer))
BY_NAME = {consumer.name: consumer for consumer in ALL}
