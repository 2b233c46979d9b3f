# SPDX-License-Identifier: Apache-2.0

"""What is extended of heat-dashboard is checked when Django starts."""

from unittest import mock

from django.core import exceptions
from heat_dashboard.content.stacks import panel
from heat_dashboard.content.stacks import tables
from heat_dashboard.content.stacks import urls
import testtools

from heat_extras_dashboard import apps
from heat_extras_dashboard import heat_dashboard_patch
from heat_extras_dashboard.stacks import urls as ours


class HeatDashboardPatchTest(testtools.TestCase):
    def refused(self):
        error = self.assertRaises(
            exceptions.ImproperlyConfigured, heat_dashboard_patch.check)
        return str(error)

    def test_what_is_installed_fits(self):
        self.assertIsNone(heat_dashboard_patch.check())

    def test_the_panel_of_stacks_has_our_urls(self):
        self.assertEqual(heat_dashboard_patch.URLS, panel.Stacks.urls)

    def test_all_urls_are_still_there(self):
        self.assertEqual(
            [(each.name, each.pattern.regex) for each in urls.urlpatterns],
            [(each.name, each.pattern.regex) for each in ours.urlpatterns])

    def test_a_class_that_is_gone_is_named(self):
        with mock.patch.object(tables, 'DeleteStack'):
            del tables.DeleteStack
            self.assertIn('tables.DeleteStack', self.refused())
            # mock wants to take away what it has put there.
            tables.DeleteStack = None

    def test_other_parameters_are_named_with_the_expected_ones(self):
        with mock.patch.object(tables.DeleteStack, 'delete',
                               lambda self, request: None):
            text = self.refused()
        self.assertIn('DeleteStack.delete(self, request)', text)
        self.assertIn('expected the parameters self, request, stack_id', text)

    def test_a_url_that_is_gone_is_named(self):
        with mock.patch.object(urls, 'urlpatterns', urls.urlpatterns[1:]):
            self.assertIn('expected one named index', self.refused())

    def test_another_plugin_that_has_set_the_urls_is_named(self):
        with mock.patch.object(panel.Stacks, 'urls', 'other_plugin.urls'):
            self.assertIn('other_plugin.urls', self.refused())

    def test_nothing_is_changed_where_something_does_not_fit(self):
        with (mock.patch.object(panel.Stacks, 'urls', None),
              mock.patch.object(tables, 'StacksUpdateRow', object)):
            import heat_extras_dashboard
            app = apps.HeatExtrasDashboard(
                'heat_extras_dashboard', heat_extras_dashboard)
            self.assertRaises(exceptions.ImproperlyConfigured, app.ready)
            self.assertIsNone(panel.Stacks.urls)
