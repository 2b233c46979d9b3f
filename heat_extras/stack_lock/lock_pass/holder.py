# SPDX-License-Identifier: Apache-2.0

"""Whom a pass is for, and whether a caller is that one.

Only what Keystone says of the caller's token counts, which comes with each
request; nobody looks for the user while a pass is granted. Pure: nothing of
Heat is imported.
"""

import dataclasses
import typing

from heat_extras.heat_internals import caller
from heat_extras import sanitize
from heat_extras.stack_lock.lock_pass import words

# As the columns for it are.
_LENGTH = sanitize.LINE
_BY_ID, _BY_NAME = {'id'}, {'name', 'domain'}


@dataclasses.dataclass(frozen=True)
class Holder:
    """The user of a pass: by its id, or by its name and domain.

    :param domain: the id of it, or its name.
    """

    id: str | None = None
    name: str | None = None
    domain: str | None = None

    def shown(self) -> dict:
        """Return what requests and answers say of it."""
        if self.name is None:
            return {'id': self.id}
        return {'name': self.name, 'domain': self.domain}

    def describe(self) -> str:
        """Name it to people."""
        return words.user(self.id, self.name, self.domain)

    def is_one(self, context: typing.Any) -> bool:
        """Return whether a caller is this user, and no trust of it is used.

        :param context: of the request, a heat.common.context.RequestContext.
        """
        token = caller.token(context)
        found = token.get('user') or {}
        if not found or _is_of_trust(context, token):
            return False
        if self.name is None:
            return self.id is not None and found.get('id') == self.id
        domain = found.get('domain') or {}
        return found.get('name') == self.name and self.domain in (
            domain.get('id'), domain.get('name'))


def read(sent: object, quoted: str) -> Holder:
    """Read what a request says of the user.

    :param quoted: the same, for people.
    :raises ValueError: saying what was found and what was wanted.
    """
    if (not isinstance(sent, dict) or set(sent) not in (_BY_ID, _BY_NAME)
            or not all(map(_is_word, sent.values()))):
        raise ValueError(words.no_user(quoted))
    return Holder(**sent)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LENGTH


def _is_of_trust(context: typing.Any, token: dict) -> bool:
    return bool(token.get('OS-TRUST:trust') or context.trust_id
                or context.trustor_user_id)
