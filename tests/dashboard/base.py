# SPDX-License-Identifier: Apache-2.0

"""Base of the walkthroughs of Horizon."""

from tests.cloud import base
from tests.cloud import templates
from tests.dashboard import browser
from tests.dashboard import horizon
from tests.harness.cloud import users

TEMPLATE = {
    'heat_template_version': templates.VERSION,
    'parameters': {'length': {'type': 'number', 'default': 8}},
    'resources': {
        'password': {'type': 'OS::Heat::RandomString', 'properties': {
            'length': {'get_param': 'length'}}}}}
WITH_SERVER = {**TEMPLATE, 'resources': {
    **TEMPLATE['resources'], 'server': templates.SERVER}}
STACKS, LOCKS = '/project/stacks/', '/project/protection/'
# The parts of a page inside Horizon's frame.
TABLE, FORM = '.table_wrapper', '.modal-content'


class DashboardTestCase(base.CloudTestCase):
    """A test with a cloud, Horizon and a browser."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.horizon = cls.use_in_class(
            horizon.Horizon(cls.cloud.keystone.auth_url))

    def setUp(self):
        super().setUp()
        self.browser = self.useFixture(browser.Browser(self.horizon.url))
        self.addOnException(self.show)

    def show(self, _exc_info):
        """Add the page to the details of a failed test."""
        self.addDetailText('page', self.browser.driver.page_source)

    def addDetailText(self, name, text):
        from testtools import content
        self.addDetail(name, content.text_content(text))

    def log_in(self, name):
        self.browser.log_in(users.BY_NAME[name])

    def make(self, name, template=TEMPLATE):
        """Create a stack of alice, which is deleted after the test."""
        path = self.alice.create_stack(name, template)
        self.addCleanup(self._remove, self.alice, path)
        self.addCleanup(self.act, path, 'unprotect')
        return path

    def assert_clean(self, *parts):
        """Expect no script error, and no serious finding of axe-core."""
        self.assertEqual([], self.browser.script_errors())
        for css in parts:
            self.assertEqual([], self.browser.findings(css), css)
