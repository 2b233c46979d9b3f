# SPDX-License-Identifier: Apache-2.0

"""Glance: ``protected`` of images. Glance rejects a deletion with 403."""

from heat_extras import monkey_patch

_WHY = 'Heat has no action LOCK, and its resources no handler for it'


class ImageLockMixin:
    """Extends Heat's image class.

    If the template of an image sets ``protected``, the image is protected
    before the lock, and stays protected after unlock.
    """

    TARGETS = (
        'heat.engine.resources.openstack.glance.image:GlanceWebImage',)

    @monkey_patch.add(why=_WHY)
    def find_lock(self):
        """Return whether the image is protected."""
        image = self.client().images.get(self.resource_id)
        return ('the image is protected', True) if image['protected'] else None

    @monkey_patch.add(why=_WHY)
    def handle_lock(self, level):
        """Protect the image."""
        self.client().images.update(self.resource_id, protected=True)

    @monkey_patch.add(why=_WHY)
    def handle_unlock(self):
        """Remove the protection of the image."""
        self.client().images.update(self.resource_id, protected=False)
