# SPDX-License-Identifier: Apache-2.0

import base64
import hashlib
import hmac
import json
import pathlib

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives import serialization
import fixtures
from oslo_config import cfg
from oslo_config import fixture as config_fixture
import testtools

from heat_extras import conf
from heat_extras.lifecycle_plugins.webhook import client
from heat_extras import operator_errors
from tests.harness import policy_service

DOCUMENT = {'new': None}


class ClientTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(policy_service.PolicyService())

    def client(self, path='/v1/data/heat', **options):
        return client.Client(self.service.url + path,
                             **{'timeout': 1, 'attempts': 2, **options})

    def failure(self, path, **options):
        return str(self.assertRaises(
            client.WebhookError, self.client(path, **options).post,
            DOCUMENT))

    def asked(self):
        return len(self.service.requests())

    def test_post_sends_input_and_returns_response(self):
        self.assertIs(True, self.client().post(DOCUMENT)['result']['allow'])
        request, = self.service.requests()
        self.assertEqual({'input': DOCUMENT}, json.loads(request['body']))
        self.assertEqual('application/json',
                         request['headers']['content-type'])
        self.assertNotIn(client.SIGNATURE.lower(), request['headers'])

    def test_url_credentials_are_sent_as_basic_auth(self):
        url = self.service.url.replace('//', '//me:wo%40rd@')
        client.Client(url + '/v1', 1, 1).post(DOCUMENT)
        request, = self.service.requests()
        self.assertEqual('Basic ' + base64.b64encode(b'me:wo@rd').decode(),
                         request['headers']['authorization'])

    def test_proxies_of_the_environment_are_not_used(self):
        self.useFixture(fixtures.EnvironmentVariable(
            'http_proxy', 'http://127.0.0.1:9/'))
        self.assertIs(True, self.client().post(DOCUMENT)['result']['allow'])

    def test_error_detail_contains_no_secret(self):
        self.service.cleanUp()
        url = self.service.url.replace('//', '//me:word@') + '/v1?key=x'
        error = self.assertRaises(
            client.WebhookError, client.Client(url, 1, 1).post, DOCUMENT)
        self.assertIn('refused', error.detail)
        for secret in 'word', 'key=x':
            self.assertNotIn(secret, error.detail)
        self.service.setUp()

    def test_hanging_service_times_out_and_is_retried(self):
        self.assertIn('no answer of the service within 1 s',
                      self.failure('/hang'))
        self.assertEqual(2, self.asked())

    def test_server_error_is_retried(self):
        self.assertIn('status 500', self.failure('/error'))
        self.assertEqual(2, self.asked())

    def test_retry_succeeds_after_service_recovers(self):
        self.assertEqual({'result': True},
                         self.client('/flaky').post(DOCUMENT))
        self.assertEqual(2, self.asked())

    def test_invalid_json_is_not_retried(self):
        self.assertIn('is not JSON', self.failure('/garbage'))
        self.assertEqual(1, self.asked())

    def test_too_long_response_is_rejected(self):
        self.assertIn('longer than 1 MiB', self.failure('/endless'))
        self.assertEqual(1, self.asked())

    def test_too_deeply_nested_json_is_rejected(self):
        self.assertIn('is not JSON', self.failure('/deep'))
        self.assertEqual(1, self.asked())

    def test_redirections_are_not_followed(self):
        self.assertIn('status 307', self.failure('/moved'))
        self.assertEqual(1, self.asked())

    def test_refused_connection_is_reported(self):
        self.service.cleanUp()
        message = str(self.assertRaises(client.WebhookError,
                                        self.client().post, DOCUMENT))
        self.assertEqual('no connection to the service', message)
        self.service.setUp()

    def test_signature_covers_time_and_body(self):
        self.client(secret='key').post(DOCUMENT)
        request, = self.service.requests()
        time, digest = request['headers'][client.SIGNATURE.lower()].split(
            ',')
        signed = f'{time.removeprefix("t=")}.{request["body"]}'
        self.assertEqual('v1=' + hmac.new(
            b'key', signed.encode(), hashlib.sha256).hexdigest(), digest)


class CertificateTest(testtools.TestCase):

    def post(self, name, **options):
        service = self.useFixture(policy_service.PolicyService(name))
        verify = options.pop('verify', None) or service.certificate
        return service, client.Client(service.url + '/v1', verify=verify,
                                      **options).post

    def test_trusted_certificate_is_accepted(self):
        _service, post = self.post('127.0.0.1')
        self.assertIs(True, post(DOCUMENT)['result']['allow'])

    def test_untrusted_or_mismatched_certificate_is_rejected(self):
        for name, options in (('127.0.0.1', {'verify': True}),
                              ('127.0.0.9', {})):
            service, post = self.post(name, **options)
            error = self.assertRaises(client.WebhookError, post, DOCUMENT)
            self.assertIn('certificate', str(error))
            self.assertEqual([], service.requests())


class HandshakeTest(testtools.TestCase):

    def test_failed_tls_handshake_is_transient_error(self):
        service = self.useFixture(policy_service.PolicyService())
        url = service.url.replace('http:', 'https:') + '/v1'
        error = self.assertRaises(
            client.TransientError, client.Client(url, 1, 2).post, DOCUMENT)
        self.assertEqual('no connection to the service', str(error))


class OptionsTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        conf.register_opts(cfg.CONF)
        self.conf = self.useFixture(config_fixture.Config(cfg.CONF))
        self.directory = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path)
        self.pem, self.other = (self.certificate(name) for name in 'ab')

    def certificate(self, name):
        path = str(self.directory / name)
        policy_service.write_certificate(path, '127.0.0.1')
        return path

    def make(self, url='https://x/y', **options):
        self.conf.config(group='heat_extras', webhook_url=url, **options)
        return client.make_client(cfg.CONF)

    def refusal(self, **options):
        return self.assertRaises(operator_errors.ActivationError, self.make,
                                 **options).args

    def test_valid_options_create_client(self):
        self.assertEqual(
            client.Client('https://x/y', 2, 1, self.pem,
                          (self.pem, self.pem)),
            self.make(webhook_timeout=2, webhook_attempts=1,
                      webhook_ca_file=self.pem, webhook_cert_file=self.pem,
                      webhook_key_file=self.pem))

    def test_unreadable_certificate_files_are_rejected(self):
        for options, *wanted in (
                ({'webhook_ca_file': '/absent'},
                 'webhook_ca_file: /absent (No such file'),
                ({'webhook_ca_file': __file__}, f': {__file__} ('),
                ({'webhook_ca_file': None, 'webhook_cert_file': self.pem},
                 'webhook_key_file: empty (No such file'),
                ({'webhook_cert_file': '/absent',
                  'webhook_key_file': str(self.directory)},
                 'webhook_cert_file: /absent (No such file',
                 f'webhook_key_file: {self.directory} (Is a dir'),
                ({'webhook_cert_file': self.pem,
                  'webhook_key_file': self.other},
                 'webhook_cert_file, webhook_key_file: ')):
            messages = self.refusal(**options)
            for words, message in zip(wanted, messages, strict=True):
                self.assertIn(words, message)

    def test_encrypted_key_is_rejected(self):
        path = self.directory / 'key'
        path.write_bytes(ec.generate_private_key(ec.SECP256R1())
                         .private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.BestAvailableEncryption(b'word')))
        message, = self.refusal(webhook_cert_file=self.pem,
                                webhook_key_file=str(path))
        self.assertIn('without a password', message)

    def test_all_errors_are_reported_together(self):
        self.assertEqual(3, len(self.refusal(
            webhook_ca_file='/absent', webhook_key_file='/absent')))
