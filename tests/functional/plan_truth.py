# SPDX-License-Identifier: Apache-2.0

"""What an update did to each resource of a tree, to compare with its plan."""

import collections
import json
import re

from tests.functional import base

# What may have happened where the plan says that something may.
_MAY = {'updated': {'unchanged', 'updated'},
        'replaced': {'unchanged', 'updated', 'replaced'},
        'removed': {'unchanged', 'updated', 'replaced', 'removed'},
        'added': {'added', 'absent'}, 'unchanged': {'unchanged'}}
_ALIVE = "action NOT IN ('DELETE', 'INIT')"


class Tree:
    """The resources of a stack tree, as the database has them.

    :ivar found: from path to (physical id, what the resource is made of).
    """

    def __init__(self, sandbox, root_id):
        self._sandbox, self.found = sandbox, {}
        self._read(root_id, ())

    def _read(self, stack_id, path):
        metadata = self._metadata(stack_id)
        for name, physical, properties in self._sandbox.sql(
                'SELECT r.name, r.nova_instance, p.data FROM resource r '
                'LEFT JOIN resource_properties_data p '
                'ON p.id = r.rsrc_prop_data_id '
                f'WHERE r.stack_id = ? AND r.{_ALIVE} '
                'ORDER BY r.id', stack_id):
            here = (*path, name)
            nested = self._sandbox.sql(
                'SELECT t.template, t.environment FROM stack s JOIN '
                'raw_template t ON t.id = s.raw_template_id WHERE s.id = ? '
                'AND s.owner_id = ?', physical, stack_id)
            content = (_content(*map(json.loads, nested[0])) if nested
                       else [_plain(json.loads(properties or '{}')),
                             metadata.get(name)])
            self.found['/'.join(here)] = physical, content
            if nested:
                self._read(physical, here)

    def _metadata(self, stack_id):
        # As the template has it: not every type stores what it becomes.
        (text,), = self._sandbox.sql(
            'SELECT t.template FROM stack s JOIN raw_template t '
            'ON t.id = s.raw_template_id WHERE s.id = ?', stack_id)
        resources = json.loads(text).get('resources') or {}
        return {name: resource.get('metadata')
                for name, resource in resources.items()}


def _plain(value):
    """Return properties in one spelling: 0 and '0' are the same to Heat."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return str(value).lower()


def _content(template, environment):
    resources = template.get('resources') or template.get('Resources') or {}
    for resource in resources.values():
        resource.get('update_policy', {}).pop('allow', None)
    return [template, environment.get('parameters')]


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


def mistakes(plan, happened):
    """List where a plan is not what happened, as texts."""
    happened, found = _without_new_names(plan, happened), []
    for entry in plan:
        path, action = entry['path'], entry['action']
        did = happened.pop(path, 'absent')
        right = ({action} if entry['certainty'] == 'will' else
                 _MAY[action] if entry['certainty'] == 'may' else {did})
        if did not in right:
            found.append(f'{path}: {entry["certainty"]} be {action}, but is '
                         f'{did}')
    more = [entry['path'].rpartition('/')[0] + '/' for entry in plan
            if entry['path'].endswith('/(others)')]
    return found + [f'{path}: not in the plan, but is {did}'
                    for path, did in sorted(happened.items())
                    if did != 'added' or not path.startswith(tuple(more))]


def _without_new_names(plan, happened):
    """Give members whose names Heat makes up those of the plan."""
    planned = {entry['path'] for entry in plan}
    renamed, numbers = dict(happened), collections.defaultdict(list)
    for path in sorted(happened):
        if path in planned or happened[path] != 'added':
            continue
        parent, _, name = path.rpartition('/')
        if any(re.fullmatch(re.escape(parent) + r'/\(new \d+\)', each)
               for each in planned):
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
    said = {}
    for action, word in (('unchanged', 'unchanged'), ('updated', 'updated'),
                         ('replaced', 'replaced'), ('added', 'added'),
                         ('deleted', 'removed')):
        for each in changes[action]:
            said.setdefault(each['resource_name'], []).append(word)
    found = []
    for path, did in sorted(happened.items()):
        words = said.get(path.rpartition('/')[2], [])
        if did in words:
            words.remove(did)
        else:
            found.append(f'{path}: {words or "nothing"}, but is {did}')
    return found


class Outcome:
    """A plan, and what its update did."""

    def __init__(self, plan, heats, happened):
        self.plan, self.happened = plan, happened
        self.mistakes = mistakes(plan, happened)
        self.heats_mistakes = (
            list(happened) if heats is None
            else heats_mistakes(heats, happened))

    def certainty(self, name):
        return sum(entry['certainty'] == name for entry in self.plan)


class PlanTestCase(base.TestCase):
    """Plans, updates, and compares."""

    def create(self, name, body):
        body = dict(body)
        path = self.client.create_stack(name, body.pop('template'), **body)
        self.addCleanup(self.client.delete, path)
        return path

    def preview(self, path, body, query=''):
        answer = self.client.put(f'{path}/preview{query}', body)
        self.assertEqual(200, answer.status_code, answer.text)
        return answer.json()['resource_changes']

    def plan(self, path, body):
        """Return the entries of a plan by their paths."""
        return {entry['path']: entry
                for entry in self.preview(path, body)['plan']}

    def mark(self, path, inner):
        """Mark a resource of a tree as unhealthy."""
        *around, name = inner.split('/')
        for each in around:
            found = self.client.get(f'{path}/resources/{each}').json()
            stack = self.client.get(
                '/stacks/' + found['resource']['physical_resource_id']
            ).json()['stack']
            path = f'/stacks/{stack["stack_name"]}/{stack["id"]}'
        answer = self.client.patch(f'{path}/resources/{name}',
                                   {'mark_unhealthy': True})
        self.assertEqual(200, answer.status_code, answer.text)

    def play(self, name, before, after, marks=()):
        """Plan an update, do it, and return the :class:`Outcome`."""
        path = self.create(name.replace('_', '-'), before)
        for inner in marks:
            self.mark(path, inner)
        tree = Tree(self.sandbox, path.rpartition('/')[2])
        plan = self.preview(path, after)['plan']
        # With added nested stacks, this fails in Heat.
        heats = self.client.put(path + '/preview?show_nested=true', after)
        answer = self.client.put(path, after)
        self.assertEqual(202, answer.status_code, answer.text)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        return Outcome(
            plan, heats.json()['resource_changes']
            if heats.status_code == 200 else None,
            compare(tree, Tree(self.sandbox, path.rpartition('/')[2])))
