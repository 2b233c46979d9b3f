# SPDX-License-Identifier: Apache-2.0

import testtools
from webob import exc

from heat_extras.heat_internals import api_errors


class ToldTest(testtools.TestCase):

    def test_the_words_stay(self):
        with testtools.ExpectedException(exc.HTTPBadRequest, 'found 5'):
            with api_errors.value_errors_as_400():
                raise ValueError('found 5')

    def test_other_errors_are_none(self):
        with testtools.ExpectedException(KeyError):
            with api_errors.value_errors_as_400():
                raise KeyError('body')
