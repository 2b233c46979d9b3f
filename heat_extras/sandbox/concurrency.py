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

"""How the installed Heat runs its threads, settled before Heat is loaded."""

from importlib import metadata

from heat_extras import notices


def prepare():
    """Bring the process into the shape that the installed Heat expects.

    Heat 24 is the last release on eventlet: its ``heat.cmd.engine`` patches
    the standard library first of all. From Heat 25 on the same module
    chooses the threading backend of oslo.service. Both must come before
    anything else is imported, so call this first.
    """
    notices.hide()
    if _is_on_eventlet():
        import eventlet
        eventlet.monkey_patch()
    else:
        from oslo_service import backend
        backend.init_backend(backend.BackendType.THREADING)


def _is_on_eventlet():
    """Tell whether the installed Heat is one of those built on eventlet."""
    return int(metadata.version('openstack-heat').partition('.')[0]) < 25
