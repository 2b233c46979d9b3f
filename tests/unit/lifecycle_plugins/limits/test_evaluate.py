# SPDX-License-Identifier: Apache-2.0

import dataclasses

import testtools

from heat_extras.lifecycle_plugins.limits import evaluate
from heat_extras.lifecycle_plugins.limits import rules_file

SERVER = 'OS::Nova::Server'
VOLUME = 'OS::Cinder::Volume'
ATTACHMENT = 'OS::Cinder::VolumeAttachment'


def resource(name, kind=SERVER, references=(), **values):
    return evaluate.Resource(name, frozenset({kind}), values.get,
                             frozenset(references), ('s', name))


def living(*kinds, key=None):
    return [evaluate.CountedResource(frozenset({kind}), key) for kind in kinds]


def stack(*resources, **more):
    return evaluate.PlannedStack(resources=resources, **more)


class TestCase(testtools.TestCase):

    def texts(self, judged, kind, condition, **more):
        rule = rules_file.Rule('r', kind, condition, **more)
        return [
            text for _rule, text in evaluate.find_violations([rule], judged)
        ]

    def assert_good(self, *args, **kwargs):
        self.assertEqual([], self.texts(*args, **kwargs))

    def assert_bad(self, wanted, *args, **kwargs):
        texts = self.texts(*args, **kwargs)
        self.assertEqual(1, len(texts), texts)
        self.assertIn(wanted, texts[0])


class LimitTest(TestCase):
    """At most three servers are allowed, and the stack has a and b."""

    limit = {'types': [SERVER], 'max': 3, 'per': 'project'}
    text = ('the project would have 4 resources of type OS::Nova::Server, but '
            'at most 3 are allowed')

    def planned(self, *names, own=(), others=()):
        return stack(
            *(resource(name) for name in names),
            there=lambda scope: evaluate.ExistingResources(
                own=[living_resource for name in ('a', 'b', *own)
                     for living_resource in living(SERVER, key=('s', name))],
                elsewhere=living(*others)))

    def test_existing_resource_is_counted_once(self):
        self.assert_good(self.planned('a', 'b', 'c'), 'limit', self.limit)

    def test_removed_resource_is_counted_until_it_is_deleted(self):
        self.assert_bad(self.text, self.planned('c', 'd'), 'limit',
                        self.limit)
        self.assert_bad('2 of these resources are not removed yet',
                        self.planned('c', 'd'), 'limit', self.limit)
        self.assert_good(self.planned('a', 'c'), 'limit', self.limit)

    def test_replaced_resource_is_counted_with_replacement(self):
        self.assert_bad(self.text, self.planned('a', 'b', 'c', own='a'),
                        'limit', self.limit)

    def test_resources_of_other_stacks_are_counted(self):
        self.assert_bad(self.text, self.planned(
            'a', 'b', 'c', others=[SERVER]), 'limit', self.limit)

    def test_update_without_new_resource_is_allowed_above_limit(self):
        for names in ('ab', 'a'):
            self.assert_good(self.planned(*names, own='cd'), 'limit',
                             self.limit)
        # The limit may be newer than the stack.
        self.assert_good(self.planned('a', 'b', others=[SERVER] * 2),
                         'limit', self.limit)


class FindViolationsTest(TestCase):

    def test_limit_counts_planned_nested_and_other_resources(self):
        condition = {'types': ['OS::Nova::*'], 'max': 4, 'per': 'tree'}
        there = {scope: evaluate.ExistingResources(elsewhere=living(*types))
                 for scope, types in (('tree', [SERVER, VOLUME]),
                                      ('project', [SERVER] * 2))}
        judged = stack(resource('a'), resource('v', VOLUME), resource('b'),
                       list_nested=lambda: living(SERVER, VOLUME),
                       there=there.get)
        self.assert_good(judged, 'limit', condition)
        self.assert_bad('the stack tree would have 4 resources of type '
                        'OS::Nova::*, but at most 3 are allowed',
                        judged, 'limit', {**condition, 'max': 3})
        self.assert_bad('the project would have 5 resources of type '
                        'OS::Nova::*, but at most',
                        judged, 'limit', {**condition, 'per': 'project'})

    def test_stack_without_limited_type_is_allowed(self):
        self.assert_good(
            stack(
                resource('v', VOLUME), there=lambda scope: evaluate.
                ExistingResources(elsewhere=living(*[SERVER] * 9))), 'limit',
            {'types': [SERVER], 'max': 1, 'per': 'project'})

    def test_forbidden_and_required_types_are_checked(self):
        judged = stack(resource('a'), list_nested=lambda: living(VOLUME))
        self.assert_bad('resource a has type', judged, 'forbid',
                        ['OS::Nova::*'])
        self.assert_bad('nested stacks have type', judged, 'forbid', [VOLUME])
        self.assert_good(judged, 'forbid', ['OS::Neutron::*'])
        self.assert_good(judged, 'require', [SERVER, VOLUME])
        self.assert_bad('the stack has no resource of type X, which is '
                        'required', judged,
                        'require', ['X'])
        self.assert_good(stack(is_root=False), 'require', ['X'])

    def test_type_behind_alias_is_forbidden(self):
        judged = stack(evaluate.Resource('a', frozenset({'Mine', SERVER})))
        self.assert_bad('resource a', judged, 'forbid', [SERVER])

    def test_property_must_be_one_of_listed_values(self):
        condition = {'types': [SERVER], 'name': 'flavor', 'any_of': ['s', 'm']}
        self.assert_good(stack(resource('a', flavor='s')),
                         'property', condition)
        for value in ('xl', None, evaluate.UNKNOWN):
            self.assert_bad('property "flavor" of resource a must be one of '
                            's, m', stack(resource('a', flavor=value)),
                            'property', condition)
        self.assert_bad('the value is not known before the action', stack(
            resource('a', flavor=evaluate.UNKNOWN)), 'property', condition)
        self.assert_good(stack(resource('a')), 'property',
                         {**condition, 'optional': True})

    def test_property_must_contain_value_or_match_pattern(self):
        condition = {'types': [SERVER], 'name': 'groups',
                     'contains_any_of': ['web', 'db']}
        self.assert_good(stack(resource('a', groups=['x', 'db'])),
                         'property', condition)
        self.assert_bad('must contain at least one of web, db',
                        stack(resource('a', groups=['x'])),
                        'property', condition)
        condition = {'types': [SERVER], 'name': 'title', 'pattern': 'p-.+'}
        self.assert_good(stack(resource('a', title='p-1')),
                         'property', condition)
        self.assert_bad('must match the pattern '
                        'p-.+', stack(resource('a', title='xp-1')),
                        'property', condition)

    def test_value_of_property_is_not_shown(self):
        condition = {'types': [SERVER], 'name': 'title', 'pattern': 'p'}
        for value in 'x' * 10 ** 6, 10 ** 5000, 'secret':
            self.assertEqual(
                ['r: property "title" of resource a must match the pattern p'],
                self.texts(stack(resource('a', title=value)), 'property',
                           condition))

    def test_volume_must_have_zone_of_its_server(self):
        condition = {'type': VOLUME, 'as': SERVER, 'name': 'zone',
                     'through': [ATTACHMENT]}
        link = resource('l', ATTACHMENT, references=('a', 'v'))
        volume = resource('v', VOLUME, zone='one')
        other = resource('b', zone='two')
        self.assert_good(stack(resource('a', zone='one'), volume, link,
                               other), 'same', condition)
        self.assert_bad('property "zone" of resource v must have the same '
                        'value as in resource a',
                        stack(resource('a', zone='two'), volume, link),
                        'same', condition)
        self.assert_bad(
            'must have the same value as in resource a',
            stack(resource('a', references=('v',), zone='two'), volume),
            'same', condition)

    def test_tags_are_required_of_root_stacks_only(self):
        judged = stack(tags=('owner=me', 'x'))
        self.assert_good(judged, 'tags', ['owner=*', 'x'])
        self.assert_bad('the stack has no tag "y", which is '
                        'required', judged, 'tags',
                        ['x', 'y'])
        self.assert_good(stack(is_root=False), 'tags', ['y'])

    def test_rule_applies_to_its_projects_and_domains(self):
        judged = stack(project='p1', domain=lambda: 'd1')
        for more, count in (({'projects': ('p1',)}, 1),
                            ({'projects': ('p2',)}, 0),
                            ({'domains': ('d1',)}, 1),
                            ({'domains': ('d2',)}, 0)):
            self.assertEqual(count, len(self.texts(
                judged, 'tags', ['y'], **more)))

    def test_unchanged_resource_is_not_checked(self):
        for kind, condition in (
                ('forbid', [SERVER]),
                ('property', {'types': [SERVER], 'name': 'p', 'any_of': [1]}),
                ('same', {'type': SERVER, 'as': VOLUME, 'name': 'p'})):
            for is_unchanged in (False, True):
                old = dataclasses.replace(
                    resource('a', SERVER, ['b'], p=2),
                    is_unchanged=is_unchanged)
                other = dataclasses.replace(resource('b', VOLUME, p=3),
                                            is_unchanged=True)
                self.assertEqual(0 if is_unchanged else 1, len(
                    self.texts(stack(old, other), kind, condition)))

    def test_existing_nested_resource_is_not_forbidden(self):
        there = evaluate.ExistingResources(own=living(VOLUME, key=('n', 'v')))
        for key in (('n', 'v'), ('n', 'w')):
            judged = stack(
                list_nested=lambda key=key: living(VOLUME, key=key),
                there=lambda scope: there)
            self.assertEqual(0 if key == ('n', 'v') else 1, len(
                self.texts(judged, 'forbid', [VOLUME])))

    def test_message_of_rule_is_shown(self):
        self.assert_bad('r: the stack has no tag "y", which is required (ask '
                        'us)',
                        stack(), 'tags', ['y'], message='ask us')
