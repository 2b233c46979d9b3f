# SPDX-License-Identifier: Apache-2.0

import subprocess
import sys
from unittest import mock

from oslo_config import cfg
from oslo_config import fixture as config_fixture
import testtools

from heat_extras import conf
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner
from heat_extras.lifecycle_plugins.webhook import plugin
from tests.harness import policy_service

HEAVY = ('jsonschema', 'requests', 'tenacity', 'heat.engine')


class WebhookPluginTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        conf.register_opts(cfg.CONF)
        self.conf = self.useFixture(config_fixture.Config(cfg.CONF))
        described = mock.patch.object(plugin, '_describe_call',
                                      return_value={'new': None})
        described.start()
        self.addCleanup(described.stop)

    def pre(self, path, **settings):
        service = self.useFixture(policy_service.PolicyService())
        self.conf.config(group='heat_extras', webhook_url=service.url + path,
                         webhook_attempts=1)
        instance = plugin.WebhookPlugin()
        self.assertTrue(instance.is_enabled())
        call = runner.Call('CREATE', lambda name: (None, None, None))
        return runner.run_pre_ops(
            [registry.Plugin('hook', instance, **settings)], call)

    def test_plugin_is_disabled_without_url(self):
        webhook_plugin = plugin.WebhookPlugin()
        self.assertFalse(webhook_plugin.is_enabled())
        webhook_plugin.do_pre_op(None, None, None, 'CREATE')
        webhook_plugin.do_post_op(None, None, None, 'CREATE', True)

    def test_broken_service_denies_action(self):
        for path in ('/error', '/garbage', '/empty'):
            self.assertRaises(runner.ActionDenied, self.pre, path)

    def test_broken_service_is_ignored_if_errors_are_allowed(self):
        for path in ('/error', '/garbage', '/empty'):
            self.assertEqual(['hook'], self.pre(path, on_error='allow'))

    def test_allowing_service_allows_action(self):
        for path in ('/plain', '/v1/data/heat'):
            self.assertEqual(['hook'], self.pre(path))

    def test_post_call_is_sent_only_if_configured(self):
        service = self.useFixture(policy_service.PolicyService())
        for calls, count in ((['pre'], 0), (['post'], 1)):
            self.conf.config(group='heat_extras', webhook_calls=calls,
                             webhook_url=service.url + '/garbage2')
            webhook_plugin = plugin.WebhookPlugin()
            webhook_plugin.is_enabled()
            webhook_plugin.do_post_op(None, None, None, 'CREATE', True)
            self.assertEqual(count, len(service.requests()))

    def test_service_is_called_for_configured_actions_only(self):
        service = self.useFixture(policy_service.PolicyService())
        self.conf.config(group='heat_extras', webhook_actions=['DELETE'],
                         webhook_calls=['pre', 'post'],
                         webhook_url=service.url + '/error')
        webhook_plugin = plugin.WebhookPlugin()
        webhook_plugin.is_enabled()
        self.assertEqual(['DELETE'], webhook_plugin.get_actions())
        webhook_plugin.do_pre_op(None, None, None, 'CREATE')
        webhook_plugin.do_post_op(None, None, None, 'CREATE', True)
        self.assertEqual([], service.requests())
        self.conf.config(group='heat_extras', webhook_calls=['post'])
        self.assertEqual((), webhook_plugin.get_actions())

    def test_unknown_action_is_rejected(self):
        self.assertRaises(ValueError, self.conf.config, group='heat_extras',
                          webhook_actions=['DANCE'])

    def test_error_detail_has_url_without_secret(self):
        for path in ('/empty', '/garbage', '/error'):
            error = self.assertRaises(runner.ActionDenied, self.pre,
                                      f'{path}/x?token=secret').__cause__
            self.assertRegex(error.detail,
                             f'POST http://127.0.0.1:[0-9]+{path}/x')
            self.assertNotIn('secret', error.detail)

    def test_disabled_plugin_imports_no_heavy_modules(self):
        code = (f'import sys, {plugin.__name__} as p; '
                'p.WebhookPlugin().is_enabled(); '
                f'print([n for n in {HEAVY} if n in sys.modules])')
        self.assertEqual('[]\n', subprocess.run(
            [sys.executable, '-c', code], capture_output=True, text=True,
            check=True).stdout)


class RaiseIfDeniedTest(testtools.TestCase):

    def test_allowing_responses_are_accepted(self):
        for answer in ({'result': True}, {'result': {'allow': True}}, True,
                       {'allow': True, 'reason': 'x'}):
            plugin.raise_if_denied(answer)

    def test_denying_responses_raise_denied(self):
        for answer, text in (
                ({'result': False}, 'the service gave no reason'),
                ({'result': {'allow': False, 'reason': 'no'}}, 'no'),
                ({'allow': False, 'reason': ['x']},
                 'the service gave no reason'),
                ({'allow': False, 'reason': 'x' * 5000}, 'x' * 1000)):
            error = self.assertRaises(plugin_api.Denied,
                                      plugin.raise_if_denied, answer)
            self.assertEqual(text, str(error))

    def test_response_without_decision_is_error(self):
        # Open Policy Agent has an empty response for a missing rule.
        for answer in ({}, None, [], 'yes', 1, {'result': 'true'},
                       {'result': {}}, {'allow': 1}):
            error = self.assertRaises(plugin_api.Unavailable,
                                      plugin.raise_if_denied, answer)
            self.assertFalse(runner.is_denial(error))
