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

"""How heat-engine comes to heat-extras: ``heat.stack_lifecycle_plugins``.

Heat loads this entry point before it forks and before its RPC server
starts. It swallows every ordinary exception of a plugin with a log line
(heat.common.pluginutils.log_fail_msg), but an operator who enabled a guard
must not run an engine without it. So this module imports nothing but the
standard library, and whatever goes wrong ends the process with one line.
"""


def _activate():
    try:
        from oslo_config import cfg

        from heat_extras import activation
        activation.activate(cfg.CONF, activation.ENGINE)
    except BaseException as error:
        text = ' '.join(str(error).split()) or 'no further details'
        raise SystemExit('heat-extras: this heat-engine is not started: '
                         f'{type(error).__name__}: {text}') from error


_activate()


class EnginePlugin:
    """A lifecycle plugin without operations: loading it is all it does."""

    def get_ordinal(self):
        return 0
