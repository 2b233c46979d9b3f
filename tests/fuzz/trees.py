# SPDX-License-Identifier: Apache-2.0

"""Generated stack trees, and updates of them.

A tree is a body of a request: a root template, files of nested stacks,
parameters and an environment. References are to resources with a smaller
name, so there is no circle.
"""

import copy
import json

from hypothesis import strategies as st

VERSION = '2021-04-16'
TEST, RANDOM, VALUE, NONE = (
    'OS::Heat::' + kind
    for kind in ('TestResource', 'RandomString', 'Value', 'None'))
GROUP, SCALING, CHAIN = (
    'OS::Heat::' + kind
    for kind in ('ResourceGroup', 'AutoScalingGroup', 'ResourceChain'))
CONFIG, DEPLOYMENT, DEPLOYMENTS = (
    'OS::Heat::Software' + kind for kind in ('Config', 'Deployment',
                                             'DeploymentGroup'))
# Sorts before other names.
ODD_NAME = '(others)'
LEAF, OTHER, BRANCH = FILES = 'leaf.yaml', 'other.yaml', 'branch.yaml'
PLAIN = (TEST, RANDOM, VALUE, NONE, CONFIG, DEPLOYMENT)
#: The most resources of a stack for which Heat is configured, if trees fail.
LIMIT = 8
CONTAINERS = (GROUP, SCALING, CHAIN, DEPLOYMENTS)
ALIASES = {'Test::Any': (TEST, LEAF, RANDOM), 'Test::Leaf': (LEAF, OTHER),
           'Test::Plain': (TEST, NONE)}

_OF_ROOT = (*PLAIN, *PLAIN, *FILES, *CONTAINERS, *ALIASES)
_KINDS = {LEAF: PLAIN, OTHER: PLAIN,
          BRANCH: (*PLAIN, LEAF, 'Test::Leaf', *CONTAINERS)}

# Names of parameters of the root template and of files.
_TEXTS, _WORDS = ('a', 'b'), ('x', 'y', '')
_SCHEMATA = {
    'a': {'type': 'string', 'default': 'x'},
    'b': {'type': 'string', 'default': 'x'},
    'n': {'type': 'number', 'default': 1},
    'c': {'type': 'boolean', 'default': True},
    'l': {'type': 'comma_delimited_list', 'default': 'x,y'},
    'm': {'type': 'json', 'default': {'k': 'x', 'u': 'x'}},
}
_CONDITIONS = {'c': {'get_param': 'c'},
               'a': {'equals': [{'get_param': 'a'}, 'x']}}
# The attribute of each type that is a string; others are lists.
_ATTRIBUTES = {TEST: 'output', RANDOM: 'value', VALUE: 'value',
               LEAF: 'out', OTHER: 'out', BRANCH: 'out',
               'Test::Leaf': 'out'}
_LISTS = {GROUP: 'refs', SCALING: 'refs', CHAIN: 'refs'}
_ALLOW = ({'replace': False}, {'update': False},
          {'update': False, 'replace': False}, {'replace': True})
_ALLOW_BY_VALUE = ({'update': {'get_param': 'c'}},
                   {'replace': {'get_param': 'c'}})
# Resources with values for conditions, sizes and policies, which are known
# only during an update. Their names sort before all others.
SOURCES = {'q0': ('true', 'false'), 'q1': ('2', '1', '3')}


class Maker:
    """Makes parts of trees.

    :param draw: of hypothesis.
    :param guards: whether there are policies, and parameters that stay.
    :param failures: whether groups may exceed :data:`LIMIT`.
    """

    def __init__(self, draw, guards=False, failures=False):
        self._draw, self._guards = draw, guards
        self._failures = failures

    def pick(self, *options):
        return self._draw(st.sampled_from(options))

    def chance(self, percent):
        # The simplest case is False.
        return self._draw(st.integers(0, 99)) >= 100 - percent

    def switch(self, tree):
        """Return a tree with other values of its sources only."""
        tree = copy.deepcopy(tree)
        for template in (tree['template'], tree['files'][BRANCH]):
            self._switch_sources(template['resources'])
        return tree

    def _switch_sources(self, resources):
        for name in SOURCES.keys() & resources.keys():
            before = resources[name]['properties']['value']
            resources[name] = _source(self.pick(*(
                value for value in SOURCES[name] if value != before)))

    def tree(self):
        """Return the first tree."""
        return {
            'template': self._template(_OF_ROOT, 6),
            'files': {name: self._template(kinds, 3, outputs=True)
                      for name, kinds in _KINDS.items()},
            'parameters': self._parameters({}),
            'environment': {'resource_registry': {
                alias: self.pick(*kinds) for alias, kinds in ALIASES.items()}}}

    def update(self, tree):
        """Return a changed tree."""
        tree = copy.deepcopy(tree)
        percent = self.pick(10, 20, 40)
        for name, template in tree['files'].items():
            if self.chance(50):
                self._change(template, _KINDS[name], percent, True)
        if self.chance(70):
            self._change(tree['template'], _OF_ROOT, percent, False)
        if self.chance(70):
            tree['parameters'] = self._parameters(tree['parameters'])
        registry = tree['environment']['resource_registry']
        for alias, kinds in ALIASES.items():
            if self.chance(10):
                registry[alias] = self.pick(*kinds)
        return tree

    def failing(self, tree):
        """Return a tree whose creation fails at a resource, if possible."""
        tree = copy.deepcopy(tree)
        tests = [resource for template in (
            tree['template'], *tree['files'].values())
            for _, resource in sorted(template['resources'].items())
            if resource['type'] == TEST]
        if tests:
            self.pick(*tests)['properties']['fail'] = True
        return tree

    def _parameters(self, before):
        parameters = dict(before)
        for name, values in (('a', _WORDS), ('b', _WORDS), ('n', (1, 2, '2')),
                             ('c', (True, False)), ('l', ('x,y', 'x', ''))):
            if self.chance(40):
                parameters[name] = self.pick(*values)
        return parameters

    def _template(self, kinds, most, outputs=False):
        has_sources = self._guards and kinds is not PLAIN
        resources = {name: _source(values[0]) for name, values
                     in SOURCES.items() if has_sources}
        known, self._is_nested = {name: TEST for name in resources}, outputs
        names = [f'r{number}' for number in range(
            self._draw(st.integers(1, most)))]
        for name in [ODD_NAME, *names] if self.chance(20) else names:
            resources[name] = self._resource(self.pick(*kinds), known)
            known[name] = _kind(resources[name])
        template = {
            'heat_template_version': VERSION,
            'parameters': {name: self._schema(dict(schema))
                           for name, schema in _SCHEMATA.items()},
            'conditions': dict(_CONDITIONS), 'resources': resources}
        if outputs:
            template['outputs'] = {'out': {'value': self._text(known)}}
        return template

    def _schema(self, schema):
        if self._guards and self.chance(10):
            schema['updatable'] = False
        return schema

    def _change(self, template, kinds, percent, outputs):
        self._is_nested = outputs
        resources = template['resources']
        known = {name: TEST for name in SOURCES if name in resources}
        if known and self.chance(percent):
            self._switch_sources(resources)
        for name in sorted(resources.keys() - known.keys()):
            if len(resources) > 1 and self.chance(percent // 3):
                del resources[name]
                continue
            resource = resources[name]
            if self.chance(percent):
                kind = (resource['type'] if self.chance(80)
                        else self.pick(*kinds))
                resources[name] = self._changed(
                    resource, self._resource(kind, known))
            resources[name] = _repaired(resources[name], known)
            known[name] = _kind(resources[name])
        if self.chance(percent):
            names = known.keys() - {ODD_NAME}
            name = f'r{int(max(names, default="r0")[1:]) + 1}'
            resources[name] = self._resource(self.pick(*kinds), known)
            known[name] = _kind(resources[name])
        if outputs:
            resource = template['outputs']['out']
            template['outputs'] = {'out': _repaired(
                {'value': self._text(known)} if self.chance(10) else resource,
                known)}
        if self.chance(percent):
            name = self.pick('a', 'b')
            template['parameters'][name] = {
                **template['parameters'][name], 'default': self.pick(*_WORDS)}

    def _changed(self, before, after):
        """Return a resource with some properties of another."""
        if before['type'] != after['type']:
            return after
        old, new = before.get('properties', {}), after.get('properties', {})
        mixed = {**new, **{key: value for key, value in old.items()
                           if self.chance(70)}}
        resource = {**after, 'properties': mixed}
        for key in ('metadata', 'condition', 'update_policy', 'depends_on',
                    'deletion_policy'):
            if self.chance(85):
                resource.pop(key, None)
                if key in before:
                    resource[key] = before[key]
        return resource

    def _resource(self, kind, known):
        made = {GROUP: self._group, SCALING: self._scaling,
                CHAIN: self._chain, DEPLOYMENTS: self._deployments}.get(kind)
        resource = (made(known) if made else {
            'type': kind, 'properties': self._properties(kind, known)})
        if self.chance(15):
            resource['metadata'] = {'m': self._text(known)}
        if self.chance(15):
            resource['condition'] = self.pick('c', 'a')
        if known and self.chance(10):
            resource['depends_on'] = self.pick(*known)
        if self.chance(5):
            resource['deletion_policy'] = self.pick('Delete', 'Retain')
        if self._guards and self.chance(30):
            resource['update_policy'] = {
                **resource.get('update_policy', {}), 'allow': dict(
                    self.pick(*_ALLOW, *_ALLOW_BY_VALUE))}
        return resource

    def _properties(self, kind, known):
        if kind == 'Test::Any':
            # The property that each of its types has.
            return {}
        if kind in (TEST, 'Test::Plain'):
            return self._of_test(known)
        if kind == RANDOM:
            return self._some(
                (30, 'length', lambda: self.pick(8, '8', 9, {
                    'get_param': 'n'})),
                (40, 'salt', lambda: self._text(known)))
        if kind == VALUE:
            value = self._text(known)
            return {'value': self.pick(value, value, value, {'v': value})}
        if kind == CONFIG:
            return self._some(
                (40, 'config', lambda: self._text(known)),
                (80, 'inputs', lambda: [{
                    'name': 'i', 'default': self._text(known),
                    'replace_on_change': self.pick(False, True, 'true')}]))
        if kind == DEPLOYMENT:
            return self._of_deployment(known)
        if kind == NONE:
            return self._some((50, 'value', lambda: self._text(known)))
        return self._some(
            (60, 'a', lambda: self._text(known)),
            (40, 'b', lambda: self._text(known)),
            (30, 'n', lambda: self.pick(1, '1', 2, {'get_param': 'n'})),
            (60 if 'q0' in known else 30, 'c', lambda: self.pick(
                True, 'true', {'get_param': 'c'}, *_late('q0', known))),
            (30, 'l', lambda: self.pick(
                ['x', 'y'], {'get_param': 'l'}, 'x,y',
                ['x', self._text(known), 'y'])),
            (40, 'm', lambda: self.pick({'get_param': 'm'}, {
                'k': self.pick(*_WORDS), 'u': self._text(known)})))

    def _of_deployment(self, known):
        configs = [name for name, kind in known.items() if kind == CONFIG]
        return {'server': 'x', 'signal_transport': 'NO_SIGNAL', **(
            {'config': {'get_resource': self.pick(*configs)}}
            if configs else {}), **self._some((60, 'input_values', lambda: {
                'i': self._text(known)}))}

    def _of_test(self, known):
        return self._some(
            (60, 'value', lambda: self._text(known)),
            (30, 'update_replace_value', lambda: self._text(known)),
            (25, 'wait_secs', lambda: self.pick(0, '0', 0.0, '0.0')),
            (10, 'action_wait_secs', lambda: self.pick(
                {'create': 0}, {'create': '0'}, {'update': 0})),
            (15, 'update_replace', lambda: self.pick(
                False, 'false', True, {'if': ['c', True, False]})))

    def _some(self, *properties):
        return {key: make() for percent, key, make in properties
                if self.chance(percent)}

    def _member(self, known):
        kind = self.pick(TEST, LEAF, LEAF, 'Test::Leaf', RANDOM, VALUE)
        return {'type': kind, 'properties': self._properties(kind, known)}

    def _size(self, known):
        if self._failures and self.chance(4):
            return LIMIT + 1
        return self.pick(1, 2, 2, '2', 3, 0, {'get_param': 'n'},
                         *2 * _late('q1', known))

    def _in_service(self):
        # Members that a failed rolling update adds are guarded themselves.
        return 0 if self._guards else self.pick(0, 1, 2)

    def _group(self, known):
        member = self._member(known)
        if self.chance(20) and member['type'] in (TEST, VALUE):
            member['properties']['value'] = '%index%'
        properties = {'count': self._size(known), 'resource_def': member}
        if self.chance(20):
            properties['removal_policies'] = [{'resource_list': [
                self.pick('0', '1', '2')]}]
            if self.chance(30):
                properties['removal_policies_mode'] = self.pick(
                    'append', 'update')
        resource = {'type': GROUP, 'properties': properties}
        if self.chance(30):
            resource['update_policy'] = {'rolling_update': {
                'max_batch_size': self.pick(1, 2),
                'min_in_service': self._in_service()}}
        return resource

    def _scaling(self, known):
        properties = {'min_size': 0, 'max_size': 9,
                      'desired_capacity': self._size(known),
                      'resource': self._member(known)}
        if self.chance(30):
            properties['rolling_updates'] = {
                'max_batch_size': self.pick(1, 2),
                'min_in_service': self._in_service()}
        return {'type': SCALING, 'properties': properties}

    def _chain(self, known):
        kinds = [self.pick(TEST, VALUE, TEST, 'Test::Plain')
                 for _ in range(self._draw(st.integers(1, 3)))]
        return {'type': CHAIN, 'properties': {
            'resources': kinds,
            'resource_properties': {'value': self._text(known)}}}

    def _deployments(self, known):
        properties = self._of_deployment(known)
        del properties['server']
        properties['servers'] = {name: self.pick('x', self._text(
            known)) for name in self.pick('a', 'ab', 'b', 'abc')}
        return {'type': DEPLOYMENTS, 'properties': properties, **(
            {'update_policy': {'rolling_update': {'max_batch_size': 1}}}
            if self.chance(30) else {})}

    def _text(self, known, depth=0):
        """Return an expression with a string value.

        :param known: types of the resources to which it may refer, by name.
        """
        ways = [self._literal, self._literal, self._parameter,
                self._parameter, self._part]
        if known:
            ways += [self._attribute, self._attribute, self._reference]
        if depth < 2:
            ways += [self._replaced, self._joined, self._if, self._repeated,
                     self._doubled]
        if self._is_nested:
            ways += [self._facade]
        return self.pick(*ways)(known, depth + 1)

    def _literal(self, known, depth):
        return self.pick(*_WORDS)

    def _parameter(self, known, depth):
        return {'get_param': self.pick(*_TEXTS)}

    def _part(self, known, depth):
        return {'get_param': self.pick(['m', 'k'], ['m', 'u'], ['l', 0],
                                       ['l', 1], ['l', 2])}

    def _attribute(self, known, depth):
        name = self.pick(*known)
        kind = known[name]
        if kind in _ATTRIBUTES:
            return {'get_attr': [name, _ATTRIBUTES[kind]]}
        if kind in _LISTS:
            return {'list_join': ['-', {'get_attr': [name, _LISTS[kind]]}]}
        return {'get_resource': name}

    def _reference(self, known, depth):
        return {'get_resource': self.pick(*known)}

    def _replaced(self, known, depth):
        return {'str_replace': {
            'template': 'in: $v', 'params': {'$v': self._text(known, depth)}}}

    def _doubled(self, known, depth):
        text = self._text(known, depth)
        return {'str_replace': {'template': 'in: $v', 'params': {
            'map_merge': [{'$v': text}, {'$w': text}]}}}

    def _facade(self, known, depth):
        return {'str_replace': {'template': 'in: $v', 'params': {
            '$v': {'resource_facade': self.pick('metadata',
                                                'deletion_policy')}}}}

    def _joined(self, known, depth):
        return {'list_join': ['-', [self._text(known, depth),
                                    self._text(known, depth)]]}

    def _if(self, known, depth):
        return {'if': [self.pick('c', 'a'), self._text(known, depth),
                       self._text(known, depth)]}

    def _repeated(self, known, depth):
        return {'list_join': ['-', {'repeat': {
            'for_each': {'%v%': {'get_param': 'l'}},
            'template': self.pick('%v%', 'a%v%')}}]}


def _source(value):
    return {'type': TEST, 'properties': {'value': value}}


def _late(name, known):
    """Return the value of a source, twice as likely as others, or none."""
    return 2 * ({'get_attr': [name, 'output']},) if name in known else ()


def _kind(resource):
    """Return the type of a resource, for references to it."""
    value = resource['properties'].get('value')
    is_text = isinstance(value, str) or 'v' not in (value or {})
    return resource['type'] if is_text else NONE


def _repaired(part, known):
    """Remove references to resources that do not exist (any more)."""
    if isinstance(part, list):
        return [_repaired(each, known) for each in part]
    if not isinstance(part, dict):
        return part
    if 'get_attr' in part and not _is_fit(part['get_attr'], known):
        return ['x'] if part['get_attr'][1] in _LISTS.values() else 'x'
    if 'get_resource' in part and part['get_resource'] not in known:
        return 'x'
    return {key: _repaired(value, known) for key, value in part.items()
            if key != 'depends_on' or value in known}


def _is_fit(reference, known):
    kind = known.get(reference[0])
    return reference[1] in (_ATTRIBUTES.get(kind), _LISTS.get(kind))


def body(tree):
    """Return the body of a request."""
    return {**tree, 'files': {name: json.dumps(template) for name, template
                              in tree['files'].items()}}


@st.composite
def cases(draw, guards=False, updates=4, failures=False):
    """Return a tree, then updates, each of the tree before.

    Each update is the tree and a list of numbers: which resources are marked
    as unhealthy before it. With guards, half of the updates change only values
    that are not known before.

    :param failures: whether the creation may fail. The first update is then
        one to the tree without this failure.
    """
    maker = Maker(draw, guards, failures)
    steps = [(maker.tree(), [])]
    if failures and maker.chance(20):
        steps.insert(0, (maker.failing(steps[0][0]), []))
    for _ in range(updates):
        marks = draw(st.lists(st.integers(0, 30), min_size=1, max_size=2)
                     ) if maker.chance(20) else []
        change = (maker.switch if guards and maker.chance(50)
                  else maker.update)
        steps.append((change(steps[-1][0]), marks))
    return steps
