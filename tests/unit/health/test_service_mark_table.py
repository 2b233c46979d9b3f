# SPDX-License-Identifier: Apache-2.0

"""Tests of the effect of a mark on its resource."""

from unittest import mock

import fixtures
from heat.common import exception
from heat.engine import resource as heat_resource
import testtools

from heat_extras.health import service


class MarkedResourceTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.mark_of = self.useFixture(fixtures.MockPatchObject(
            service, 'mark_of', return_value=mock.Mock(reason='disk'))).mock
        self.resource = mock.Mock(CHECK='CHECK', FAILED='FAILED')
        self.resource.name = 'r'

    def test_check_of_marked_resource_fails_with_reason(self):
        error = self.assertRaises(exception.ResourceFailure,
                                  service.fail_check, self.resource)
        self.assertIn('marked unhealthy: disk', str(error))

    def test_resource_is_marked_again_after_task(self):
        steps = []
        self.resource.state_set = lambda *args: steps.append(args)
        self.assertEqual([1, 2], list(service.remark_after(self.resource,
                                                           (1, 2))))
        self.assertEqual([('CHECK', 'FAILED', 'disk')], steps)

    def test_update_replaces_marked_resource(self):
        service.force_replace(self.resource)
        self.assertRaises(heat_resource.UpdateReplace,
                          self.resource._needs_update, 'after', 'before')

    def test_resource_without_mark_is_unchanged(self):
        self.mark_of.return_value = None
        decide, task = self.resource._needs_update, iter(())
        service.fail_check(self.resource)
        service.force_replace(self.resource)
        self.assertIs(decide, self.resource._needs_update)
        self.assertIs(task, service.remark_after(self.resource, task))
