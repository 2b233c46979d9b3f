# SPDX-License-Identifier: Apache-2.0

"""Lifecycle plugins of a provider, as their own distribution.

They know nothing of heat-extras. Each call is a line of JSON in the journal;
what to do besides stands in files beside it, like ``deny-test_b-UPDATE``.
"""

import importlib
import json
import os
import pathlib
import time

from heat.engine import lifecycle_plugin

DIRECTORY = pathlib.Path(os.environ['HEAT_EXTRAS_TEST_PLUGINS'])


def _order(kind, name, action):
    path = DIRECTORY / f'{kind}-{name}-{action}'
    try:
        return path.read_text()
    except FileNotFoundError:
        return None


def _say(when, name, action):
    # In JSON: what the text of a file cannot hold.
    text = _order(f'say_{when}', name, action)
    if text:
        raise Exception(json.loads(text))


def _write(journal, line):
    data = (json.dumps(line) + '\n').encode()
    target = os.open(DIRECTORY / journal,
                     os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        os.write(target, data)
    finally:
        os.close(target)


def _throw(name):
    module, _, kind = name.rpartition(':')
    raise getattr(importlib.import_module(module or 'builtins'), kind)()


def _resources(stack):
    if stack is None:
        return None
    return {name: resource.properties.get('value')
            for name, resource in stack.resources.items()}


class Recorder(lifecycle_plugin.LifecyclePlugin):
    """Write down what it is called with."""

    name = None
    ordinal = 100

    def get_ordinal(self):
        return self.ordinal

    def do_pre_op(self, cnxt, stack, current_stack=None, action=None):
        # First: a test that sees the call gives other orders then.
        slow = _order('slow', self.name, action)
        self._note('pre', stack, current_stack, action)
        if slow:
            time.sleep(float(slow))
        if _order('change', self.name, action):
            stack.set_stack_user_project_id('changed')
        if _order('error', self.name, action):
            raise KeyError(_order('error', self.name, action))
        if _order('deny', self.name, action):
            raise Exception(_order('deny', self.name, action))
        self._deny_nested(stack, action)
        _say('before', self.name, action)
        if _order('throw', self.name, action):
            _throw(_order('throw', self.name, action))

    def _deny_nested(self, stack, action):
        text = _order('deny_nested', self.name, action)
        if text and stack.owner_id is not None:
            raise Exception(text)

    def do_post_op(self, cnxt, stack, current_stack=None, action=None,
                   is_stack_failure=False):
        linger = _order('linger', self.name, action)
        self._note('post', stack, current_stack, action,
                   failure=is_stack_failure)
        if linger:
            time.sleep(float(linger))
        if _order('fail', self.name, action):
            raise Exception(_order('fail', self.name, action))
        _say('after', self.name, action)
        if _order('throw_after', self.name, action):
            _throw(_order('throw_after', self.name, action))

    def _note(self, call, stack, current_stack, action, **more):
        # Where the database is away, that there was a call is noted first.
        details, error = {}, None
        try:
            details = {'resources': _resources(stack),
                       'new': _resources(current_stack)}
        except Exception as raised:
            details, error = {'error': repr(raised)}, raised
        _write('journal', dict(
            more, **details, plugin=self.name, call=call, action=action,
            stack=stack.name, id=stack.id, status=stack.status,
            operation=getattr(stack, 'operation_id', None),
            pid=os.getpid(), session=os.getsid(0),
            nested=stack.owner_id is not None))
        if error is not None:
            raise error


class First(Recorder):
    name = 'test_first'
    ordinal = 50


class A(Recorder):
    name = 'test_a'


class B(Recorder):
    """A plugin that is also asked in a dry run, see ``dry_runs``."""

    name = 'test_b'

    def do_dry_run(self, cnxt, stack, current_stack=None, action=None):
        _write('dry_runs', {
            'action': action, 'stack': stack.name, 'id': stack.id,
            'path': list(stack.resource_path),
            'operation': getattr(stack, 'operation_id', None),
            'new': _resources(current_stack or stack)})
        if _order('error_dry', self.name, action):
            raise KeyError('dry')
        self._deny_nested(stack, action)


class PostOnly:
    """A plugin without do_pre_op."""

    def get_ordinal(self):
        return 300

    do_post_op = Recorder.do_post_op
    _note = Recorder._note
    name = 'test_post'
