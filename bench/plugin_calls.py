# SPDX-License-Identifier: Apache-2.0

"""The duration of a plugin call with a view, a deep copy, and neither.

This runs in a separate process, which prints seconds as JSON, because Heat's
globals must not change the process of the benchmark. The plugin reads a
property of each resource of a stack that Heat has already built.
"""

import copy
import json
import subprocess
import sys
import time

from heat_extras.sandbox import interpreter

BARE, VIEW, COPY = WAYS = ('bare', 'view', 'deep copy')


def measure(workload, say):
    """Call a plugin in each way.

    :returns: seconds of each call, by way.
    """
    say('%d calls of a plugin with %d resources, in each way'
        % (workload.plugin_calls, workload.plugin_resources))
    done = subprocess.run(
        [sys.executable, '-W', 'ignore', '-m', 'bench.plugin_calls',
         str(workload.plugin_resources), str(workload.plugin_calls)],
        check=True, capture_output=True, text=True, timeout=600)
    return json.loads(done.stdout.splitlines()[-1])


def _stack(count):
    from heat.common import context
    from heat.engine import resources
    from heat.engine import stack
    from heat.engine import template
    from oslo_config import cfg
    cfg.CONF([], project='heat', default_config_files=[])
    resources.initialise()
    return stack.Stack(
        context.RequestContext(project_id='bench'), 'bench',
        template.Template({
            'heat_template_version': '2018-08-31',
            'resources': {f'test-{number}': {
                'type': 'OS::Heat::TestResource',
                'properties': {'value': str(number)}}
                for number in range(count)}}))


def _plugin(stack):
    return sum(len(resource.properties['value'])
               for resource in stack.resources.values())


def _wrap_stack(way, stack):
    from heat_extras.lifecycle import read_only
    if way == VIEW:
        return read_only.wrap_value(stack, 'bench')
    if way == COPY:
        # A Stack cannot be copied, because it has sessions. This is the
        # nearest copy, which Heat's legacy engine also makes in updates.
        return type(stack)(stack.context, stack.name, copy.deepcopy(stack.t))
    return stack


def main(count, calls):
    """Measure, in turns, and print."""
    # Before Heat is imported, which uses eventlet or threads.
    interpreter.prepare()
    stack = _stack(count)
    _plugin(stack)
    seconds = {way: [] for way in WAYS}
    for _number in range(calls):
        for way in WAYS:
            started = time.perf_counter()
            _plugin(_wrap_stack(way, stack))
            seconds[way].append(time.perf_counter() - started)
    print(json.dumps(seconds))


if __name__ == '__main__':
    main(*map(int, sys.argv[1:]))
