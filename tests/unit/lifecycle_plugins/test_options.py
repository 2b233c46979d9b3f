# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle_plugins import options


class UrlTest(testtools.TestCase):

    def test_valid_urls_are_accepted(self):
        for url in ('http://a', 'https://u:p@a.example.org:8181/v1?x=y#z',
                    'http://[::1]:80/', 'http://b\xfccher.example/\xe9', ''):
            self.assertEqual(url, options.Url()(url))

    def test_invalid_urls_are_rejected(self):
        for url in ('a', 'ftp://a', 'https://', 'http:///path', 'http://:80',
                    'http://a:0', 'http://a:65536', 'http://a:b',
                    'http://[::1', 'http://a b', 'https:/a', 'http://a..b',
                    'http://' + 64 * 'a', 'http://a/\0'):
            error = self.assertRaises(ValueError, options.Url(), url)
            self.assertIn(f'{url!r} is not valid: expected a URL ',
                          str(error))

    def test_password_is_masked_in_error(self):
        for word in ('se/c@ret', 'sec\nret'):
            error = self.assertRaises(ValueError, options.Url(),
                                      f'ftp://eve:{word}@host/')
            self.assertIn("'ftp://***@host/' is not valid: ", str(error))
