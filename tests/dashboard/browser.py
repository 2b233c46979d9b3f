# SPDX-License-Identifier: Apache-2.0

"""Headless Chromium, controlled by selenium."""

import os
import unittest

import fixtures

from tests.harness.services import requirement
from tests.harness import waiting

SECONDS = 30
_ARGUMENTS = ('--headless=new', '--no-sandbox', '--disable-gpu',
              '--disable-dev-shm-usage', '--window-size=1200,800')
# The theme of Horizon defines the colors.
_THEME = 'color-contrast'
# Horizon's own requests fail in a cloud that has only Heat.
_EXPECTED_ERRORS = ('/api/', 'favicon')


class Browser(fixtures.Fixture):
    """One window without a login.

    :param url: of Horizon.
    """

    def __init__(self, url):
        super().__init__()
        self.url = url

    def _setUp(self):
        chromium = requirement.find('chromium', 'chromium')
        driver = requirement.find('chromedriver', 'chromium-driver')
        try:
            from selenium import webdriver
            from selenium.webdriver.chrome import service
        except ImportError as error:
            raise unittest.SkipTest(
                'selenium is not installed; "tox -e browser" brings '
                'it') from error
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for each in _ARGUMENTS:
            options.add_argument(each)
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
        self.driver = webdriver.Chrome(options, service.Service(driver))
        self.addCleanup(self.driver.quit)

    def log_in(self, person):
        """Log in as a person of tests.harness.cloud.users."""
        self.go('/auth/login/')
        for name, text in (('username', person.name),
                           ('password', person.password)):
            self.find(f'#id_{name}').send_keys(text)
        self.find('#loginBtn').click()
        self.wait('to be logged in',
                  lambda: '/auth/login' not in self.driver.current_url)
        # Discard the errors about services that are not deployed.
        self.script_errors()

    def go(self, path):
        """Open a page of Horizon."""
        self.driver.get(self.url + path)

    def find(self, css):
        """Wait for a visible element, and return the first."""
        return self.wait(f'to show {css}', lambda: next(
            iter(self.shown(css)), None))

    def shown(self, css):
        """List the visible elements."""
        return [each for each in self.driver.find_elements(
            'css selector', css) if _is_displayed(each)]

    def text(self, css='#main_content'):
        """Return the text of an element in one line."""
        from selenium.common import exceptions
        try:
            return ' '.join(self.find(css).text.split())
        except exceptions.StaleElementReferenceException:
            # The browser is loading another page.
            return ''

    def wait(self, description, find, is_right=bool):
        return waiting.until(f'the browser {description}', find, is_right,
                             SECONDS)

    def wait_for_text(self, text, css='#main_content'):
        self.wait(f'to read {text!r}', lambda: self.text(css),
                  lambda value: text in value)

    def row(self, text):
        """Return the row of a table that has a text."""
        return self.wait(f'a row with {text}', lambda: next(
            (each for each in self.shown('tbody tr')
             if text in each.text.split()), None))

    def actions(self, text):
        """Open the menu of a row, and map its buttons by their texts."""
        row = self.row(text)
        for each in row.find_elements('css selector', '.dropdown-toggle'):
            each.click()
        return _buttons(row)

    def act(self, text, action):
        """Press a button of a row."""
        self.wait(f'a button {action} of {text}',
                  lambda: self._was_clicked(text, action))

    def _was_clicked(self, text, action):
        from selenium.common import exceptions
        try:
            buttons = _buttons(self.row(text))
            if action not in buttons:
                buttons = self.actions(text)
            buttons[action].click()
        except (KeyError, exceptions.StaleElementReferenceException):
            # Horizon has replaced the row.
            return False
        return True

    def confirm(self):
        """Confirm a dangerous action."""
        self.find('.modal .modal-footer .btn-primary,'
                  ' .modal .modal-footer .btn-danger').click()

    def fill(self, **fields):
        """Fill in the fields of a form."""
        for name, value in fields.items():
            field = self.wait(f'a field {name}', lambda name=name: next(
                iter(self.driver.find_elements('name', name)), None))
            if field.tag_name == 'select':
                # Horizon hides the list behind its own widget.
                self.driver.execute_script(
                    '$(arguments[0]).val(arguments[1]).change()', field,
                    value)
            else:
                field.clear()
                field.send_keys(value)

    def submit(self):
        """Send the open form."""
        self.find('form input[type=submit]').click()

    def message(self):
        """Return the message on the page."""
        return self.text('.alert')

    def picture(self, name):
        """Save a screenshot if the environment names a directory."""
        directory = os.environ.get('HEAT_EXTRAS_PICTURES')
        if directory:
            self.driver.save_screenshot(
                os.path.join(directory, f'dashboard-{name}.png'))

    def script_errors(self):
        """List the script errors since the last call."""
        return [each['message'] for each in self.driver.get_log('browser')
                if each['level'] == 'SEVERE'
                and not any(text in each['message']
                            for text in _EXPECTED_ERRORS)]

    def findings(self, css):
        """List the serious findings of axe-core in a part of the page.

        :returns: pairs of rule and element.
        """
        from axe_selenium_python import Axe
        axe = Axe(self.driver)
        axe.inject()
        return sorted(
            (rule['id'], node['html'][:160])
            for rule in axe.run(css)['violations']
            if rule['impact'] in ('serious', 'critical')
            and rule['id'] != _THEME
            for node in rule['nodes'])


def _buttons(row):
    """Map the visible buttons of a row by their texts."""
    elements = row.find_elements(
        'css selector', '.actions_column button, .actions_column a')
    return {each.text: each for each in elements if each.text.strip()}


def _is_displayed(element):
    from selenium.common import exceptions
    try:
        return element.is_displayed()
    except exceptions.StaleElementReferenceException:
        # Horizon has replaced the element.
        return False
