# SPDX-License-Identifier: Apache-2.0

"""The rows of the table in reference/update-policy-rules.rst, as updates.

A row is a template with one resource per policy, ``r0`` to ``r4`` in the
order of the table's columns, and a change of some of them.
"""

import copy

POLICIES = {
    'replace: false': {'replace': False},
    'update: false': {'update': False},
    'both false': {'update': False, 'replace': False},
    'both true': {'update': True, 'replace': True},
    'no policy': None,
}
NAMES = [f'r{number}' for number in range(len(POLICIES))]

_VERSION = {'heat_template_version': '2018-08-31'}


def _guarded(name, resource):
    allow = list(POLICIES.values())[NAMES.index(name)]
    if allow is not None:
        resource = {**resource, 'update_policy': {'allow': allow}}
    return resource


def _member(name):
    """Return a template with a protected resource and a free one."""
    return {**_VERSION,
            'parameters': {'net': {'type': 'string', 'default': 'none'}},
            'resources': {
                'inner': _guarded(name, {'type': 'OS::Heat::TestResource'}),
                'free': {'type': 'OS::Heat::RandomString'}}}


FILES = {f'{name}.yaml': _member(name) for name in NAMES}
_FREE = {'type': 'OS::Heat::TestResource'}
FILES['free.yaml'] = {**_VERSION, 'resources': {'inner': _FREE}}
FILES['freer.yaml'] = {**_VERSION, 'resources': {
    'inner': _FREE, 'more': {'type': 'OS::Heat::RandomString'}}}
ENVIRONMENT = {'resource_registry': {
    f'Test::{name}': f'{name}.yaml' for name in NAMES}}


class Row:
    """One row of the table.

    :cvar restores: whether the update is the restore of a snapshot.
    """

    resource = {'type': 'OS::Heat::TestResource',
                'properties': {'value': 'one'}}

    def resource_of(self, name):
        return _guarded(name, self.resource)

    def template(self):
        """Return the template that stacks are made from."""
        return {**_VERSION, 'parameters': {
            f'has_{name}': {'type': 'boolean', 'default': True}
            for name in NAMES},
            'conditions': {name: {'get_param': f'has_{name}'}
                           for name in NAMES},
            'resources': {name: self.resource_of(name) for name in NAMES}}

    def prepare(self, test, path, names):
        """Do what must be done before the update."""

    def changed(self, names):
        """Return the template that does it to some of the resources."""
        template = copy.deepcopy(self.template())
        for name in names:
            self.change(template['resources'], name)
        return template

    def change(self, resources, name):
        """Do it to one resource of a template."""

    def parameters(self, names):
        return {}

    def files(self, names):
        """Return the files that do it to some of the resources."""
        return FILES


class Spelling(Row):
    resource = {'type': 'OS::Heat::TestResource',
                'properties': {'value': 'one', 'wait_secs': 0}}

    def change(self, resources, name):
        resources[name]['properties'] = {
            'value': 'one', 'wait_secs': '0', 'fail': False}


class File(Row):
    """Its nested stack is updated in place; nothing in it is lost."""

    def resource_of(self, name):
        return _guarded(name, {'type': 'free.yaml'})

    def change(self, resources, name):
        resources[name]['type'] = 'freer.yaml'


class Inside(Row):
    """It goes from each member, beside a value that is not known yet."""

    def __init__(self, make):
        self._make = make

    def resource_of(self, name):
        return self._make(f'Test::{name}',
                          {'net': {'get_attr': ['network', 'output']}})

    def template(self):
        template = super().template()
        template['resources']['network'] = {
            'type': 'OS::Heat::TestResource', 'properties': {'value': 'one'}}
        return template

    def changed(self, names):
        template = self.template()
        # With another value of it, a chain is replaced as a whole.
        template['resources']['network']['properties']['value'] = (
            'two' if names == NAMES else 'one')
        return template

    def files(self, names):
        files = copy.deepcopy(FILES)
        for name in names:
            del files[f'{name}.yaml']['resources']['inner']
        return files


def _stack(kind, properties):
    return {'type': kind, 'properties': properties}


def _group(kind, properties):
    return _stack('OS::Heat::ResourceGroup', {
        'count': 1, 'resource_def': _stack(kind, properties)})


def _scaling(kind, properties):
    return _stack('OS::Heat::AutoScalingGroup', {
        'min_size': 1, 'max_size': 1, 'resource': _stack(kind, properties)})


def _chain(kind, properties):
    return _stack('OS::Heat::ResourceChain', {
        'resources': [kind], 'resource_properties': properties})


class InPlace(Row):
    def change(self, resources, name):
        resources[name]['properties'] = {'value': 'two'}


class Replacement(Row):
    def change(self, resources, name):
        resources[name]['properties'] = {'update_replace_value': 'two'}


class Type(Row):
    def change(self, resources, name):
        resources[name]['type'] = 'OS::Heat::RandomString'
        del resources[name]['properties']


class Removal(Row):
    def change(self, resources, name):
        del resources[name]


class Condition(Row):
    def resource_of(self, name):
        return dict(_guarded(name, self.resource), condition=name)

    def parameters(self, names):
        return {f'has_{name}': name not in names for name in NAMES}


class Nested(Row):
    def resource_of(self, name):
        return {'type': f'{name}.yaml'}

    def change(self, resources, name):
        del resources[name]


class Unhealthy(Row):
    def prepare(self, test, path, names):
        for name in NAMES:
            answer = test.client.patch(f'{path}/resources/{name}', {
                'mark_unhealthy': name in names,
                'resource_status_reason': 'test'})
            test.assertEqual(200, answer.status_code, answer.text)


class External(Row):
    def change(self, resources, name):
        resources[name]['external_id'] = 'somewhere'


class Group(Row):
    def resource_of(self, name):
        return {'type': 'OS::Heat::ResourceGroup', 'properties': {
            'count': 2, 'resource_def': {'type': f'{name}.yaml'}}}

    def change(self, resources, name):
        resources[name]['properties']['count'] = 1


class RemovalPolicies(Group):
    def change(self, resources, name):
        resources[name]['properties']['removal_policies'] = [
            {'resource_list': ['0']}]


class NestedId(Nested):
    """Not an update of the root: see the test."""


class Signal(Row):
    def template(self):
        template = super().template()
        for name in NAMES:
            template['resources'][f'{name}_policy'] = {
                'type': 'OS::Heat::ScalingPolicy', 'properties': {
                    'adjustment_type': 'change_in_capacity',
                    'auto_scaling_group_id': {'get_resource': name},
                    'scaling_adjustment': -1}}
        return template

    def resource_of(self, name):
        return {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
            'min_size': 1, 'max_size': 2, 'desired_capacity': 2,
            'resource': {'type': f'{name}.yaml'}}}


ROWS = {
    'changes a property in place': InPlace(),
    'changes a property that needs a replacement': Replacement(),
    'changes the type': Type(),
    'removes it from the template': Removal(),
    'turns its condition false': Condition(),
    'removes the nested stack around it': Nested(),
    'finds it marked unhealthy': Unhealthy(),
    'removes it from the template of a nested stack': Inside(_stack),
    'removes it from each member of a ResourceGroup': Inside(_group),
    'removes it from each member of an AutoScalingGroup': Inside(_scaling),
    'removes it from each part of a ResourceChain': Inside(_chain),
    'makes it a nested stack of another file': File(),
    'writes out a default, or spells a value otherwise': Spelling(),
    'gives it an external_id': External(),
    'restores a snapshot with another value': InPlace(),
    'scales a group down to below its member': Group(),
    'removes its member by removal_policies': RemovalPolicies(),
    'removes it through the id of the nested stack': NestedId(),
    'is a scaling signal that removes its member': Signal(),
}
