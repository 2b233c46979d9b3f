# SPDX-License-Identifier: Apache-2.0

"""Trees whose guards an update meets late, by a value of the same update.

An update to the second value of each source would change or destroy the
resources that have a guard: those named ``guarded``, or members of a group.
"""

import json
import re

from tests.harness import waiting

_VERSION = {'heat_template_version': '2018-08-31'}
_KEEP = {'update_policy': {'allow': {'replace': False}}}
_STAY = {'update_policy': {'allow': {'update': False}}}
#: The values of the resources whose attributes are used.
SOURCES = {'source': ('one', 'two'), 'size': ('3', '1'),
           'removed': ('none', '0'), 'chained': ('leaf.yaml,leaf.yaml',
                                                 'leaf.yaml')}
LATE = {'get_attr': ['source', 'output']}


def _template(resources, **more):
    return dict(_VERSION, **more, resources=resources)


def _test(**properties):
    return {'type': 'OS::Heat::TestResource', 'properties': properties}


def _file(resources, updatable=True, **more):
    schema = {'type': 'string'} | ({} if updatable else {'updatable': False})
    return _template(resources, parameters={'v': schema}, conditions={
        'on': {'equals': [{'get_param': 'v'}, 'one']}}, **more)


_V = {'get_param': 'v'}
_CONDITIONAL = dict(_test(), condition='on')
_REPLACED = _test(update_replace_value=_V)
_PLAIN = _template({'guarded': _test()})
_GUARDED = _template({'guarded': dict(_test(), **_KEEP)})


def _nested(*, policy=(), kind='inner.yaml', v=LATE, **more):
    return dict({'type': kind, 'properties': {'v': v}}, **more, **dict(policy))


def _scaling(size=2, *, policy=(), member=None, **more):
    return dict({'type': 'OS::Heat::AutoScalingGroup', 'properties': dict(
        {'min_size': 0, 'max_size': 9, 'desired_capacity': size,
         'resource': member or _nested()}, **more)}, **dict(policy))


def _group(size=2, *, member=None, policy=(), **more):
    return dict({'type': 'OS::Heat::ResourceGroup', 'properties': dict(
        {'count': size, 'resource_def': member or _nested()}, **more)},
                **dict(policy))


def _chain(value, kinds=('inner.yaml', 'inner.yaml')):
    return {'g': {'type': 'OS::Heat::ResourceChain', 'properties': {
        'resources': kinds,
        'resource_properties': {} if value is None else {'v': value}}}}


_SIZE = {'get_attr': ['size', 'output']}
_ONE_AND_ONE = {'max_batch_size': 1, 'min_in_service': 1}


def _with(**files):
    return {f'{name}.yaml': json.dumps(each) for name, each in files.items()}


#: The resources of the root and the files, by the name of the case.
CASES = {
    'condition': ({'n': _nested()}, _with(
        inner=_file({'guarded': dict(_CONDITIONAL, **_KEEP)}))),
    'condition, policy outside': ({'n': _nested(policy=_KEEP)}, _with(
        inner=_file({'guarded': _CONDITIONAL}))),
    'conditional nested stack': ({'n': _nested()}, _with(
        inner=_file({'m': {'type': 'leaf.yaml', 'condition': 'on'}}),
        leaf=_GUARDED)),
    'conditional nested stack, policy outside': (
        {'n': _nested(policy=_KEEP)}, _with(
            inner=_file({'m': {'type': 'leaf.yaml', 'condition': 'on'}}),
            leaf=_PLAIN)),
    'condition, two levels': ({'n': _nested(kind='outer.yaml')}, _with(
        outer=_file({'n': _nested(v=_V)}),
        inner=_file({'guarded': dict(_CONDITIONAL, **_KEEP)}))),
    'replaced': ({'n': _nested()}, _with(
        inner=_file({'guarded': dict(_REPLACED, **_KEEP)}))),
    'updated': ({'n': _nested()}, _with(
        inner=_file({'guarded': dict(_test(value=_V), **_STAY)}))),
    'immutable': ({'n': _nested()}, _with(
        inner=_file({'guarded': _test(value=_V)}, updatable=False))),
}
for _name, _make in (('group', _group), ('scaling group', _scaling)):
    CASES |= {
        f'{_name}, condition': ({'g': _make()}, _with(
            inner=_file({'guarded': dict(_CONDITIONAL, **_KEEP)}))),
        f'{_name}, condition, policy outside': (
            {'g': _make(policy=_KEEP)}, _with(
                inner=_file({'guarded': _CONDITIONAL}))),
        f'{_name}, conditional nested stack': ({'g': _make()}, _with(
            inner=_file({'m': {'type': 'leaf.yaml', 'condition': 'on'}}),
            leaf=_GUARDED)),
        f'{_name}, replaced': ({'g': _make()}, _with(
            inner=_file({'guarded': dict(_REPLACED, **_KEEP)}))),
        f'{_name}, updated': ({'g': _make()}, _with(
            inner=_file({'guarded': dict(_test(value=_V), **_STAY)}))),
        f'{_name}, immutable': ({'g': _make()}, _with(
            inner=_file({'guarded': _test(value=_V)}, updatable=False))),
        f'{_name}, size': ({'g': _make(_SIZE, member={'type': 'leaf.yaml'})},
                           _with(leaf=_GUARDED)),
        f'{_name}, size, policy outside': (
            {'g': _make(_SIZE, member={'type': 'leaf.yaml'}, policy=_KEEP)},
            _with(leaf=_PLAIN)),
        f'{_name}, in a nested stack': (
            {'n': _nested(kind='outer.yaml')}, _with(
                outer=_file({'g': _make(member=_nested(v=_V))}),
                inner=_file({'guarded': dict(_CONDITIONAL, **_KEEP)}))),
        f'{_name}, plain members': (
            {'g': _make(member=_test(update_replace_value=LATE),
                        policy=_KEEP)}, {}),
    }
CASES |= {
    'scaling group, rolling': ({'g': _scaling(
        rolling_updates=_ONE_AND_ONE)}, _with(
            inner=_file({'guarded': dict(_REPLACED, **_KEEP)}))),
    'scaling group, at once': ({'g': _scaling(
        rolling_updates={'max_batch_size': 2, 'min_in_service': 0})}, _with(
            inner=_file({'guarded': dict(_REPLACED, **_KEEP)}))),
    'scaling group, size and value': ({'g': _scaling(_SIZE)}, _with(
        inner=_file({'guarded': dict(_REPLACED, **_KEEP)}))),
    'group, size and value': ({'g': _group(_SIZE)}, _with(
        inner=_file({'guarded': dict(_REPLACED, **_KEEP)}))),
    'group, rolling': ({'g': _group(policy={'update_policy': {
        'rolling_update': _ONE_AND_ONE}})}, _with(
            inner=_file({'guarded': dict(_REPLACED, **_KEEP)}))),
    'group, size and removal policy': ({'g': _group(
        _SIZE, member={'type': 'leaf.yaml'}, removal_policies=[
            {'resource_list': [{'get_attr': ['removed', 'output']}]}])},
        _with(leaf=_GUARDED)),
    'chain, condition': (_chain(LATE), _with(
        inner=_file({'guarded': dict(_CONDITIONAL, **_KEEP)}))),
    'chain, replaced': (_chain(LATE), _with(
        inner=_file({'guarded': dict(_REPLACED, **_KEEP)}))),
    'chain, shorter': (_chain(None, {'str_split': [',', {
        'get_attr': ['chained', 'output']}]}), _with(leaf=_GUARDED)),
}


def body(name, is_second=False, is_free=False):
    """Return the template and the files of a case.

    :param is_second: whether the sources have their second values.
    :param is_free: whether all guards are removed.
    """
    resources, files = CASES[name]
    sources = {key: _test(value=values[is_second])
               for key, values in SOURCES.items()}
    text = json.dumps([_template({**resources, **sources}), files])
    if is_free:
        text = re.sub(r'((update|replace|updatable)\\*": )false',
                      r'\1true', text)
    template, files = json.loads(text)
    return {'template': template, 'files': files}


class LateRefusalMixin:
    """Steps after a late refusal, for an UpdatePolicyTestCase."""

    def guarded(self, path):
        listed = self.client.get(path + '/resources?nested_depth=5').json()
        return {resource['physical_resource_id']
                for resource in listed['resources']
                if resource['resource_type'] == 'OS::Heat::TestResource'
                and resource['resource_name'] not in SOURCES}

    def assert_kept(self, path, before, name, status, **options):
        """Update a case, and check that the guarded resources are kept."""
        sent = body(name, **options)
        reason = self.update(path, sent['template'], status,
                             files=sent['files'], disable_rollback=True)
        self.assertLessEqual(before, self.guarded(path), (name, reason))
        return reason

    def check_steps(self, name):
        """Check that each step after a late refusal finds the resources."""
        sent = body(name)
        path = self.create(re.sub('[^a-z]+', '-', name), sent['template'],
                           files=sent['files'])
        before = self.guarded(path)
        self.assertTrue(before)
        self.assert_rolled_back(path, before, name)
        reason = self.assert_kept(path, before, name, 'UPDATE_FAILED',
                                  is_second=True)
        self.assertNotIn('nothing was changed', reason)
        self.assert_found_after_actions(path, before, name)
        self.assert_rejected(path, before, name)
        self.assert_kept(path, before, name, 'UPDATE_COMPLETE')
        return path, before

    def assert_rolled_back(self, path, before, name):
        answer = self.client.put(path, dict(body(name, is_second=True),
                                            disable_rollback=False))
        self.assertEqual(202, answer.status_code, answer.text)
        self.settle(path, 'ROLLBACK_COMPLETE')
        self.assertLessEqual(before, self.guarded(path), name)

    def assert_found_after_actions(self, path, before, name):
        for action in ('check', 'suspend', 'resume'):
            answer = waiting.until(
                'the operation before', lambda sent={action: None}: (
                    self.client.post(path + '/actions', sent)),
                lambda response: 'ActionInProgress' not in response.text)
            self.assertEqual(200, answer.status_code, answer.text)
            self.client.wait_for_stack(path, [f'{action.upper()}_COMPLETE'])
            # A check of a stack can end before that of its nested stacks.
            waiting.until_equal('the nested resources', [], lambda: [
                each['resource_name'] for each in self.client.get(
                    f'{path}/resources?nested_depth=5').json()['resources']
                if each['resource_status'].endswith('_IN_PROGRESS')])
            self.assertLessEqual(before, self.guarded(path), (name, action))

    def assert_rejected(self, path, before, name):
        """Send the update again, whose values are now known."""
        answer = waiting.until(
            'the operation before', lambda: self.client.put(
                path, dict(body(name, is_second=True),
                           disable_rollback=True)),
            lambda response: 'ActionInProgress' not in response.text)
        if answer.status_code == 202:
            reason = self.settle(path, 'UPDATE_FAILED')
            self.assertIn('update_policy', reason)
        else:
            self.assertIn('immutable', answer.text)
        self.assertLessEqual(before, self.guarded(path), name)
