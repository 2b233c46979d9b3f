# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""The guards that providers install: lifecycle plugins."""

from heat_extras import guard
from heat_extras.lifecycle import plugin as plugins
from heat_extras.lifecycle import registry

# The actions that plugins are called before.
_STOPS = ('update', 'replace', 'delete', 'abandon', 'suspend', 'resume',
          'check', 'snapshot', 'restore', 'lock', 'unlock')


def list_guards(context, found):
    """List the plugins that may deny an action; no query.

    What a plugin will say is its own affair: each is told once, for the
    stack that was asked for.
    """
    return [guard.Guard(
        kind='plugin', stack_id=found.stack.id, name=plugin.name,
        stops=_STOPS,
        reason='the lifecycle plugin is asked before each of these actions, '
               'and may deny it',
        lifted_by='the operator',
        how_to_lift='ask the operator of this Heat')
        for plugin in registry.ordered()
        if plugin.mode == plugins.FAIL and plugin.method('do_pre_op')]
