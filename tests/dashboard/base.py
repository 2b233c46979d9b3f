# SPDX-License-Identifier: Apache-2.0

"""What the walks through Horizon share."""

from tests.cloud import base
from tests.cloud import templates
from tests.dashboard import browser
from tests.dashboard import horizon
from tests.harness.cloud import people

TEMPLATE = {
    'heat_template_version': templates.VERSION,
    'parameters': {'length': {'type': 'number', 'default': 8}},
    'resources': {
        'password': {'type': 'OS::Heat::RandomString', 'properties': {
            'length': {'get_param': 'length'}}}}}
WITH_SERVER = {**TEMPLATE, 'resources': {
    **TEMPLATE['resources'], 'server': templates.SERVER}}
STACKS, LOCKS = '/project/stacks/', '/project/protection/'
# What a page has of ours, without Horizon's frame around it.
TABLE, FORM = '.table_wrapper', '.modal-content'


class DashboardTestCase(base.CloudTestCase):
    """A cloud, Horizon before it, and a browser before that."""

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
        """Let a test that fails show its page."""
        self.addDetailText('page', self.browser.driver.page_source)

    def addDetailText(self, name, text):
        from testtools import content
        self.addDetail(name, content.text_content(text))

    def log_in(self, name):
        self.browser.log_in(people.BY_NAME[name])

    def make(self, name, template=TEMPLATE):
        """Create a stack of alice's; it is deleted after the test."""
        path = self.alice.create_stack(name, template)
        self.addCleanup(self._remove, self.alice, path)
        self.addCleanup(self.act, path, 'unprotect')
        return path

    def assert_clean(self, *parts):
        """Expect no failed script, and nothing serious of axe-core's."""
        self.assertEqual([], self.browser.script_errors())
        for css in parts:
            self.assertEqual([], self.browser.findings(css), css)
