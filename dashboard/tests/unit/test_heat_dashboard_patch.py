# SPDX-License-Identifier: Apache-2.0

"""The installed heat-dashboard is checked when Django starts."""

from unittest import mock

from django.core import exceptions
from heat_dashboard.content.stacks import panel
from heat_dashboard.content.stacks import tables
from heat_dashboard.content.stacks import urls
import testtools

from heat_extras_dashboard import apps
from heat_extras_dashboard import heat_dashboard_patch
from heat_extras_dashboard.stacks import urls as replaced_urls


class HeatDashboardPatchTest(testtools.TestCase):
    def error_text(self):
        error = self.assertRaises(
            exceptions.ImproperlyConfigured, heat_dashboard_patch.check)
        return str(error)

    def test_installed_release_is_supported(self):
        self.assertIsNone(heat_dashboard_patch.check())

    def test_stacks_panel_has_replaced_urls(self):
        self.assertEqual(heat_dashboard_patch.URLS, panel.Stacks.urls)

    def test_replaced_urls_equal_urls_of_heat_dashboard(self):
        self.assertEqual(
            *([(each.name, each.pattern.regex) for each in module.urlpatterns]
              for module in (urls, replaced_urls)))

    def test_error_names_missing_class(self):
        with mock.patch.object(tables, 'DeleteStack'):
            del tables.DeleteStack
            self.assertIn('tables.DeleteStack', self.error_text())
            # mock deletes this attribute at the end.
            tables.DeleteStack = None

    def test_error_names_actual_and_expected_parameters(self):
        with mock.patch.object(tables.DeleteStack, 'delete',
                               lambda self, request: None):
            text = self.error_text()
        self.assertIn('DeleteStack.delete(self, request)', text)
        self.assertIn('expected the parameters self, request, stack_id', text)

    def test_error_names_missing_url(self):
        with mock.patch.object(urls, 'urlpatterns', urls.urlpatterns[1:]):
            self.assertIn('expected also index', self.error_text())

    def test_error_names_other_plugin_that_replaced_urls(self):
        with mock.patch.object(panel.Stacks, 'urls', 'other_plugin.urls'):
            self.assertIn('other_plugin.urls', self.error_text())

    def test_unsupported_release_is_not_patched(self):
        with (mock.patch.object(panel.Stacks, 'urls', None),
              mock.patch.object(tables, 'StacksUpdateRow', object)):
            import heat_extras_dashboard
            app = apps.HeatExtrasDashboard(
                'heat_extras_dashboard', heat_extras_dashboard)
            self.assertRaises(exceptions.ImproperlyConfigured, app.ready)
            self.assertIsNone(panel.Stacks.urls)
