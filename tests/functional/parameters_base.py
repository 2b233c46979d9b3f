# SPDX-License-Identifier: Apache-2.0

"""Base of the functional tests of parameters."""

import copy

from tests.functional import base

TYPE = 'ImmutableParameterModified'
HEATS = 'The following parameters are immutable and may not be updated: '


def changed(template, parameter, **words):
    """Copy a template with other attributes of a parameter.

    :param words: attributes; None removes the attribute.
    """
    template = copy.deepcopy(template)
    definition = {**template['parameters'][parameter], **words}
    template['parameters'][parameter] = {
        word: value for word, value in definition.items()
        if value is not None}
    return template


class ParametersTestCase(base.TestCase):
    """Test case with encryption of hidden values."""

    settings = '[DEFAULT]\nencrypt_parameters_and_properties = true\n'

    def create(self, template, **body):
        name = self.id().rpartition('.')[2][5:60]
        self.template = template
        self.files = body.get('files')
        self.path = self.client.create_stack(name, template, **body)
        self.addCleanup(self.client.delete, self.path)
        return self.path

    def put(self, path=None, **body):
        return self.client.put(path or self.path, {
            'template': self.template, 'files': self.files, **body})

    def patch(self, path=None, **body):
        return self.client.patch(path or self.path, body)

    def trace(self):
        """Return everything that a rejected update could change."""
        events = self.client.get(
            self.path + '/events?nested_depth=5&limit=200').json()['events']
        tables = [self.client.get(self.path + part).json() for part in
                  ('/template', '/environment', '/files',
                   '/resources?nested_depth=5')]
        return [self.client.show_stack(self.path), len(events), *tables]

    def assert_refused(self, answer, *names):
        """Assert a 400 with all names, in the format of Heat."""
        self.assertEqual(400, answer.status_code, answer.text)
        error = answer.json()['error']
        self.assertEqual(TYPE, error['type'])
        advice, heats, reason = error['message'].partition(HEATS)
        self.assertEqual(HEATS, heats, error['message'])
        self.assertEqual(sorted(names), sorted(reason.split(', ')))
        return advice

    def assert_accepted(self, answer, status='UPDATE_COMPLETE'):
        self.assertEqual(202, answer.status_code, answer.text)
        return self.client.wait_for_stack(self.path, [status])

    def assert_rolls_back(self, answer):
        """Assert that an accepted update fails and is rolled back."""
        self.assertEqual(202, answer.status_code, answer.text)
        # The failed update shows until the rollback begins.
        stack = self.client.wait_for_status(
            self.path, 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED')
        self.assertEqual('ROLLBACK_COMPLETE', stack['stack_status'],
                         stack['stack_status_reason'])
        return stack

    def assert_fails(self, answer):
        """Assert that an accepted update fails, and return the reason."""
        self.assertEqual(202, answer.status_code, answer.text)
        stack = self.client.wait_for_stack(self.path, ['UPDATE_FAILED'])
        return stack['stack_status_reason']
