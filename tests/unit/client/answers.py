# SPDX-License-Identifier: Apache-2.0

"""Responses of a Heat without heat-extras and of a proxy before it."""

from tests.unit.client import base

_MALFORMED = ('The server could not comply with the request since it is '
              'either malformed or otherwise incorrect.\n\n')


def _page(code, title):
    return code, (f'<html>\r\n<head><title>{code} {title}</title></head>\r\n'
                  f'<body>\r\n<center><h1>{code} {title}</h1></center>\r\n'
                  '<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n')


#: Responses to an action, by sender.
OF_ACTIONS = {
    'Heat': base.fault(400, 'HTTPBadRequest',
                       _MALFORMED + 'Invalid action lock specified'),
    'Heat, of a protection': base.fault(
        400, 'HTTPBadRequest',
        _MALFORMED + 'Invalid action protect specified'),
    'a Heat that speaks German': base.fault(
        400, 'HTTPBadRequest', 'Die ungültige Aktion lock wurde angegeben'),
    'a Heat that speaks Japanese': base.fault(
        400, 'HTTPBadRequest', '無効なアクション lock が指定されました'),
    'another fault': base.fault(400, 'ValueError', 'What?'),
    'a policy that knows no such rule': base.fault(
        403, 'Forbidden', 'You are not authorized to complete this action.'),
    'an engine that knows no such call': base.fault(500, 'NoSuchMethod', ''),
}

#: Responses to a path or method that is unknown or forbidden, and whether the
#: response can only mean that the feature is missing.
OF_PATHS = {
    'no route': ((404, ''), True),
    "webob's own": ((404, {
        'message': 'The resource could not be found.<br /><br />\n\n\n',
        'code': '404 Not Found', 'title': 'Not Found'}), True),
    'a page for 404': (_page(404, 'Not Found'), True),
    'a page for 405': (_page(405, 'Not Allowed'), True),
    'a gateway for 405': ((405, {'message': 'no such method'}), True),
    'a page for 501': (_page(501, 'Not Implemented'), True),
    'a page for 400': (_page(400, 'Bad Request'), False),
    'a page for 403': (_page(403, 'Forbidden'), False),
    'a page for 500': (_page(500, 'Internal Server Error'), False),
    'an engine that knows no such call': (
        base.fault(500, 'NoSuchMethod', ''), False),
}

#: From a proxy while Heat is unavailable; they do not depend on features.
OF_NOBODY = {
    'a page for 502': _page(502, 'Bad Gateway'),
    'a page for 503': _page(503, 'Service Temporarily Unavailable'),
    'nothing for 504': (504, ''),
    'too much': (429, {'message': 'API rate limit exceeded'}),
}

#: With a success status, but not from Heat.
STRANGE = {
    'a page': (200, '<html><body>Log in, please.</body></html>'),
    'nothing': (204, ''),
}
