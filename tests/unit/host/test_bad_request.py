# SPDX-License-Identifier: Apache-2.0

import testtools
from webob import exc

from heat_extras.host import bad_request


class ToldTest(testtools.TestCase):

    def test_the_words_stay(self):
        with testtools.ExpectedException(exc.HTTPBadRequest, 'found 5'):
            with bad_request.told():
                raise ValueError('found 5')

    def test_other_errors_are_none(self):
        with testtools.ExpectedException(KeyError):
            with bad_request.told():
                raise KeyError('body')
