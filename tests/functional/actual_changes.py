# SPDX-License-Identifier: Apache-2.0

"""Compare what an update did to each resource of a tree with its plan."""

import collections
import fnmatch
import itertools
import json
import re
import time

from oslo_utils import strutils

from heat_extras.client import plan_tree
from tests.functional import base

# Possible results of each action with the certainty "may".
_MAY = {'updated': {'unchanged', 'updated'},
        'replaced': {'unchanged', 'updated', 'replaced'},
        'removed': {'unchanged', 'updated', 'replaced', 'removed'},
        'added': {'added', 'absent'}, 'unchanged': {'unchanged'}}
# The verbs of a plan's last line.
_WORDS = {'add': 'added', 'update': 'updated', 'replace': 'replaced',
          'remove': 'removed'}
# Heat sends each update to the remote Heat, or to the server.
_ALWAYS = ('OS::Heat::Stack', 'OS::Heat::SoftwareDeployment',
           'OS::Heat::StructuredDeployment')
# Heat does nothing on update (NoneResource._needs_update).
_NEVER = ('OS::Heat::None',)
# Heat keeps DELETE if a resource in deletion is unchanged.
_ALIVE = ("(r.action NOT IN ('DELETE', 'INIT') OR r.action = 'DELETE' "
          'AND r.current_template_id = s.raw_template_id)')


class Tree:
    """The resources of a stack tree, as the database has them.

    :param schemata: a :class:`Schemata`; without it, another spelling of the
        same value differs.
    :ivar found: from path to (id of the row, what the resource is made of).
    :ivar types: from path to the type in the template.
    :ivar updates: from path to the number of complete updates.
    :ivar steps: from path to (last event of a complete creation, events of
        deletions), the events by their numbers.
    """

    def __init__(self, sandbox, root_id, schemata=None):
        self._sandbox, self._schemata = sandbox, schemata
        self.found, self.steps, self.updates = {}, {}, {}
        self.types = {}
        self._read(root_id, ())

    def _read(self, stack_id, path):
        written, types = self._written(stack_id)
        for uuid, name, physical, properties, updates in self._sandbox.sql(
                'SELECT r.uuid, r.name, r.nova_instance, p.data, ('
                'SELECT COUNT(*) FROM event e WHERE e.stack_id = r.stack_id '
                "AND e.resource_name = r.name AND resource_action = 'UPDATE' "
                "AND resource_status = 'COMPLETE') FROM resource r "
                'LEFT JOIN resource_properties_data p '
                'ON p.id = r.rsrc_prop_data_id JOIN stack s '
                f'ON s.id = r.stack_id WHERE r.stack_id = ? AND {_ALIVE} '
                'ORDER BY r.id', stack_id):
            here = (*path, name)
            nested = self._sandbox.sql(
                'SELECT t.template, t.environment FROM stack s JOIN '
                'raw_template t ON t.id = s.raw_template_id WHERE s.id = ? '
                'AND s.owner_id = ?', physical, stack_id)
            resource = written.get(name, {})
            name_of_type = resource.get('type') or resource.get('Type')
            self.types['/'.join(here)] = name_of_type
            kind = _type_of(name_of_type, types)
            content = [
                self._complete(kind, json.loads(properties or '{}')),
                *self._rest(kind, resource),
                kind in _ALWAYS and updates]
            if nested:
                content += _content(*map(json.loads, nested[0]))
            self.found['/'.join(here)] = uuid, content
            self.updates['/'.join(here)] = updates
            self.steps['/'.join(here)] = (
                max(self._events(stack_id, name, 'CREATE', 'COMPLETE') or [0]),
                self._events(stack_id, name, 'DELETE', 'IN_PROGRESS'))
            if nested:
                self._read(physical, here)

    def _events(self, stack_id, name, *state):
        # The legacy engine deletes in a backup stack, whose name ends in *.
        return {number for number, in self._sandbox.sql(
            'SELECT id FROM event WHERE resource_name = ? AND '
            'resource_action = ? AND resource_status = ? AND stack_id IN '
            '(SELECT id FROM stack WHERE id = ? OR owner_id = ? '
            "AND name LIKE '%*')", name, *state, stack_id, stack_id)}

    @staticmethod
    def _rest(kind, resource):
        return (None, {}) if kind in _NEVER else (
            resource.get('metadata'), _without_allow(resource))

    def _complete(self, kind, properties):
        return (self._schemata.complete(kind, properties) if self._schemata
                else properties)

    def _written(self, stack_id):
        """Return the resources of the template, and the names of types."""
        # Metadata of the template: not every type stores what they become.
        (template, environment), = (map(json.loads, row) for row in
                                    self._sandbox.sql(
            'SELECT t.template, t.environment FROM stack s JOIN '
            'raw_template t ON t.id = s.raw_template_id WHERE s.id = ?',
            stack_id))
        return (template.get('resources') or template.get('Resources') or {},
                environment.get('resource_registry') or {})


def _type_of(name, types):
    for pattern, other in types.items():
        if pattern == name and not str(other).endswith('*'):
            return other
        if pattern.endswith('*') and name and name.startswith(pattern[:-1]):
            return other[:-1] + name[len(pattern) - 1:]
    return name


class Schemata:
    """The properties of resource types.

    :param client: a :class:`tests.harness.heat_client.Client`.
    """

    def __init__(self, client):
        self._client, self._found = client, {}

    def complete(self, kind, properties):
        """Return properties with defaults, each value in one spelling."""
        if kind not in self._found:
            answer = self._client.get(f'/resource_types/{kind}')
            self._found[kind] = (answer.json()['properties']
                                 if answer.status_code == 200 else {})
        return _complete(self._found[kind], properties)


def _complete(schemata, properties):
    completed = {key: properties.get(key, schema.get('default')) for key,
                 schema in schemata.items()}
    completed.update(properties)
    return {key: _in_one_spelling(value, schemata.get(key, {}))
            for key, value in completed.items() if value is not None}


def _in_one_spelling(value, schema):
    if value is None:
        return None
    kind, inner = schema.get('type'), schema.get('schema') or {}
    if kind in ('number', 'integer'):
        return float(value)
    if kind == 'boolean':
        return strutils.bool_from_string(value)
    if kind == 'map' and isinstance(value, dict):
        return _complete(inner, value)
    if kind == 'list' and isinstance(value, list):
        each = inner.get('*', {})
        return [_in_one_spelling(member, each) for member in value]
    return value


def _without_allow(resource):
    return {key: value for key, value in (
        resource.get('update_policy') or {}).items() if key != 'allow'}


def _content(template, environment):
    resources = template.get('resources') or template.get('Resources') or {}
    for resource in resources.values():
        resource['update_policy'] = _without_allow(resource)
    values = environment.get('parameters') or {}
    return [template, {
        name: values.get(name, schema.get('default'))
        for name, schema in (template.get('parameters') or {}).items()}]


def compare(before, after):
    """Return what happened to each path of two trees."""
    happened = {}
    for path in {*before.found, *after.found}:
        if path not in after.found:
            happened[path] = 'removed'
        elif path not in before.found:
            happened[path] = 'added'
        elif before.found[path][0] != after.found[path][0]:
            happened[path] = 'replaced'
        else:
            happened[path] = ('unchanged' if before.found[path]
                              == after.found[path] else 'updated')
    return happened


def compare_with(plan, before, after):
    """Return what happened to each path, also to resolved metadata.

    They are not in the database. If they change, Heat updates the resource.
    """
    happened = compare(before, after)
    for entry in plan:
        path = entry['path']
        if (happened.get(path) == 'unchanged'
                and after.updates[path] > before.updates[path]
                and any(reason['kind'] == 'metadata'
                        for reason in entry['reasons'])):
            happened[path] = 'updated'
    return happened


def mistakes(plan, happened):
    """List the differences between a plan and the update, as texts."""
    happened, sentences = _without_new_names(plan, happened), []
    for entry in plan:
        path, action = entry['path'], entry['action']
        did = happened.pop(path, 'absent')
        right = ({action} if entry['certainty'] == 'will' else
                 _MAY[action] if entry['certainty'] == 'may' else {did})
        if did not in right:
            sentences.append(
                f'{path}: {entry["certainty"]} be {action}, but is ' f'{did}')
    more = [entry['path'].rpartition('/')[0] + '/' for entry in plan
            if entry.get('placeholder') == 'others']
    return sentences + [f'{path}: not in the plan, but is {did}' for path,
                        did in sorted(happened.items()) if did != 'added'
                        or not path.startswith(tuple(more))]


def mistakes_of_creation(plan, created):
    """List the differences between a plan and the stack that was created.

    :param created: its :class:`Tree`.
    """
    return [*mistakes(plan, dict.fromkeys(created.found, 'added')), *(
        f'{entry["path"]}: planned as {entry["resource_type"]}'
        for entry in plan
        if entry['resource_type'] != created.types.get(
            entry['path'], entry['resource_type']))]


def disorders(plan, before, after, happened):
    """List the replacements that a plan has in another order, as texts.

    :param before: a :class:`Tree`.
    :param after: the same :class:`Tree` after the update.
    """
    sentences = []
    for entry in plan:
        path = entry['path']
        if happened.get(path) != 'replaced' or not entry['order']:
            continue
        (_, deleted_before), (created, deleted) = (
            tree.steps[path] for tree in (before, after))
        # A nested stack of a replaced resource is another stack.
        if deleted_before < deleted:
            # There are several if an earlier replacement has failed.
            new = deleted - deleted_before
            if not (created < max(new) if entry['order'] ==
                    'create_before_delete' else min(new) < created):
                sentences.append(f'{path}: not {entry["order"]}')
    return sentences


def unexplained(plan):
    """List the certain replacements whose cause is not in the plan."""
    return [f'{entry["path"]}: no reason forces its replacement'
            for entry in plan
            if (entry['action'], entry['certainty']) == ('replaced', 'will')
            and not any(reason['forces_replacement']
                        or reason['kind'] == 'nested_stack'
                        for reason in entry['reasons'])]


def _without_new_names(plan, happened):
    """Give members whose names Heat makes up those of the plan."""
    planned = {entry['path'] for entry in plan}
    new = {entry['path'] for entry in plan
           if entry.get('placeholder') == 'new'}
    renamed, numbers = dict(happened), collections.defaultdict(list)
    for path in sorted(happened):
        if path in planned or happened[path] != 'added':
            continue
        parent, _, name = path.rpartition('/')
        if any(re.fullmatch(re.escape(parent) + r'/\(new \d+\)', each)
               for each in new):
            numbers[parent].append(path)
    for parent, paths in numbers.items():
        for number, path in enumerate(paths, 1):
            for each in [each for each in renamed
                         if each == path or each.startswith(path + '/')]:
                renamed[f'{parent}/(new {number}){each[len(path):]}'] = (
                    renamed.pop(each))
    return renamed


def heats_mistakes(changes, happened):
    """List where the five lists of Heat's preview are not what happened.

    A resource is known there by its name alone.
    """
    listed_as = {}
    for action, word in (('unchanged', 'unchanged'), ('updated', 'updated'),
                         ('replaced', 'replaced'), ('added', 'added'),
                         ('deleted', 'removed')):
        for each in changes[action]:
            listed_as.setdefault(each['resource_name'], []).append(word)
    sentences = []
    for path, did in sorted(happened.items()):
        words = listed_as.get(path.rpartition('/')[2], [])
        if did in words:
            words.remove(did)
        else:
            sentences.append(f'{path}: {words or "nothing"}, but is {did}')
    return sentences


def surprises(plan, uncertain):
    """List where a plan is more or less certain than expected, as texts.

    :param uncertain: what may happen to a resource, or ``unknown``, by a
        pattern of its path.
    """
    sentences, seen = [], set()
    for entry in plan:
        path = entry['path']
        pattern = next((each for each in uncertain if _matches(path, each)),
                       None)
        seen.add(pattern)
        certainty, action = entry['certainty'], entry['action']
        claim = {'will': None, 'may': action}.get(certainty, certainty)
        if claim != uncertain.get(pattern):
            sentences.append(f'{path}: {certainty} be {action}, expected '
                             f'{uncertain.get(pattern) or "will"}')
    return sentences + [f'{pattern}: not in the plan' for pattern in uncertain
                        if pattern not in seen]


def _matches(path, pattern):
    pairs = path.split('/'), pattern.split('/')
    return len(pairs[0]) == len(pairs[1]) and all(
        itertools.starmap(fnmatch.fnmatchcase, zip(*pairs, strict=True)))


def miscounts(plan):
    """List the counts of the plan's last line that are not those of a list."""
    counts = collections.Counter()
    for part in plan_tree.format_summary(plan)[len('Plan: '):-1].split('; '):
        certainty = 'may' if part.startswith('possibly ') else 'will'
        for each in part.removeprefix('possibly ').split(', '):
            number, *_, word = each.split()
            counts[certainty, _WORDS.get(word, word)] += int(number)
    listed = collections.Counter(
        ('will', 'unknown') if entry['certainty'] == 'unknown' else
        (entry['certainty'], entry['action']) for entry in plan)
    return [f'{each}: {counts[each]} in the last line, {listed[each]} in the '
            'list' for each in {*counts, *listed}
            if counts[each] != listed[each]]


class Outcome:
    """A plan, and what its update did."""

    def __init__(self, plan, heats, before, after):
        happened = compare_with(plan, before, after)
        self.plan, self.happened = plan, happened
        self.mistakes = [*mistakes(plan, happened),
                         *disorders(plan, before, after, happened),
                         *unexplained(plan)]
        self.heats_mistakes = (
            list(happened) if heats is None
            else heats_mistakes(heats, happened))


def figures(outcomes):
    """Return the totals of a table as text."""
    counts = collections.Counter(
        entry['certainty'] for each in outcomes for entry in each.plan)
    return (f'{len(outcomes)} updates of '
            f'{sum(len(each.happened) for each in outcomes)} resources: '
            f'{counts["will"]} will, {counts["may"]} may, '
            f'{counts["unknown"]} unknown; '
            f'{sum(len(each.mistakes) for each in outcomes)} wrong; wrong in '
            'the preview of Heat: '
            f'{sum(len(each.heats_mistakes) for each in outcomes)}')


class PlanTestCase(base.TestCase):
    """Test case that plans updates, runs them, and compares."""

    def create(self, name, body, handles=()):
        """Create a stack.

        :param handles: bodies of signals to send in the meantime, by handle.
        """
        body = dict(body)
        path = self.client.create_stack(name, body.pop('template'),
                                        wait=not handles, **body)
        self.addCleanup(self.client.delete, path)
        for handle, signal in dict(handles).items():
            self.client.wait_for_resource(path, handle, 'CREATE_COMPLETE')
            self.client.post(f'{path}/resources/{handle}/signal', signal)
        self.client.wait_for_stack(path, ['CREATE_COMPLETE'])
        return path

    def preview(self, path, body, query=''):
        answer = self.client.put(f'{path}/preview{query}', body)
        self.assertEqual(200, answer.status_code, answer.text)
        return answer.json()['resource_changes']

    def plan(self, path, body):
        """Return the entries of a plan by their paths."""
        return {entry['path']: entry
                for entry in self.preview(path, body)['plan']}

    def mark(self, path, inner, unhealthy=True):
        """Mark a resource of a tree as unhealthy, or reset the mark."""
        *around, name = inner.split('/')
        for each in around:
            resource = self.client.get(f'{path}/resources/{each}').json()
            stack = self.client.get(
                '/stacks/' + resource['resource']['physical_resource_id']
            ).json()['stack']
            path = f'/stacks/{stack["stack_name"]}/{stack["id"]}'
        answer = self.client.patch(f'{path}/resources/{name}',
                                   {'mark_unhealthy': unhealthy})
        self.assertEqual(200, answer.status_code, answer.text)

    def read_tree(self, path):
        return Tree(self.sandbox, path.rpartition('/')[2],
                    Schemata(self.client))

    def update_and_compare(self, name, before, after, marks=(), handles=(),
                           states=()):
        """Plan an update, do it, and return the :class:`Outcome`.

        :param states: action, status and engine of resources, by name.
        """
        path = self.create(name.replace('_', '-'), before, handles)
        for inner in marks:
            self.mark(path, inner)
        if 'rolling_updates' in str(before):
            # Heat sorts members by the second in which they were created.
            time.sleep(1.1)
        tree = self.read_tree(path)
        for inner, state in dict(states).items():
            self.sandbox.sql(
                'UPDATE resource SET action = ?, status = ?, engine_id = ? '
                'WHERE stack_id = ? AND name = ?', *state,
                path.rpartition('/')[2], inner)
        plan = self.preview(path, after)['plan']
        # With added nested stacks, this fails in Heat.
        heats = self.client.put(path + '/preview?show_nested=true', after)
        answer = self.client.put(path, after)
        self.assertEqual(202, answer.status_code, answer.text)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        return Outcome(
            plan, heats.json()['resource_changes']
            if heats.status_code == 200 else None,
            tree, self.read_tree(path))
