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

"""Glance: ``protected`` of images; deleting a protected one is a 403."""

from heat_extras import patching

_WHY = 'Heat has no action LOCK, and its resources no handler for it'


class ImageLockMixin:
    """Extends Heat's image class.

    An image whose template says ``protected`` is found protected, and stays
    so after unlock.
    """

    TARGETS = (
        'heat.engine.resources.openstack.glance.image:GlanceWebImage',)

    @patching.add(why=_WHY)
    def find_lock(self):
        """Say whether the image is protected."""
        image = self.client().images.get(self.resource_id)
        return 'the image is protected' if image['protected'] else None

    @patching.add(why=_WHY)
    def handle_lock(self, level):
        """Protect the image."""
        self.client().images.update(self.resource_id, protected=True)

    @patching.add(why=_WHY)
    def handle_unlock(self):
        """Lift the protection of the image."""
        self.client().images.update(self.resource_id, protected=False)
