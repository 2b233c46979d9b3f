# SPDX-License-Identifier: Apache-2.0

"""Glance: ``protected`` of images. Glance rejects a deletion with 403."""


class ImageLockMixin:
    """Extends Heat's image class.

    If the template of an image sets ``protected``, the image is protected
    before the lock, and stays protected after unlock.
    """

    TARGETS = (
        'heat.engine.resources.openstack.glance.image:GlanceWebImage',)

    def find_lock(self):
        """Return whether the image is protected."""
        image = self.client().images.get(self.resource_id)
        return ('the image is protected', True) if image['protected'] else None

    def handle_lock(self, level):
        """Protect the image."""
        self.client().images.update(self.resource_id, protected=True)

    def handle_unlock(self):
        """Remove the protection of the image."""
        self.client().images.update(self.resource_id, protected=False)
