# SPDX-License-Identifier: Apache-2.0

"""What a rule in ``exempt`` asks for that there is not.

A rule of no policy and a key that no token has are never true, and oslo.policy
does not say so; under a ``not`` they would be true of everybody.
"""

import ast
import collections.abc
import dataclasses
import re

from oslo_context import context as oslo_context
from oslo_policy import policy

#: What a rule can compare with what the token has.
TARGET = ('project_id', 'user_id')
#: What a rule can ask of a token: what heat.common.context adds, and the rest.
#: A context of Heat's would make its enforcer, before our rules are among its.
KEYS = sorted({'user', 'tenant', 'is_admin', 'auth_token_info',
               *oslo_context.RequestContext(
                   overwrite=False).to_policy_values()})
_NAMED = re.compile(r'%\((.*?)\)')
# The class of checks that compare what a token has.
_OF_TOKEN = type(policy.RuleDefault('freeze', 'no_such_kind:1').check)


@dataclasses.dataclass(frozen=True)
class Missing:
    """A part of a rule that nothing makes true.

    :param found: the part, as it is written.
    :param name: what there is not.
    :param known: the names that there are.
    :param wanted: the same, in words.
    :param is_negated: whether it stands under a ``not``.
    """

    found: str
    name: str
    known: collections.abc.Collection = dataclasses.field(compare=False)
    wanted: str = dataclasses.field(compare=False)
    is_negated: bool = False


def missing(check, rules):
    """List what a rule asks for in vain, each once.

    :param check: the rule, as oslo.policy has read it.
    :param rules: the checks of all rules that it can name, by name.
    """
    return list(dict.fromkeys(_missing(check, rules, False, frozenset())))


def _missing(check, rules, is_negated, seen):
    if isinstance(check, policy.NotCheck):
        yield from _missing(check.rule, rules, not is_negated, seen)
    elif isinstance(check, policy.RuleCheck):
        yield from _missing_rule(check.match, rules, is_negated, seen)
    elif isinstance(check, policy.Check):
        for found, name, known, wanted in _missing_of_token(check):
            yield Missing(found, name, known, wanted, is_negated)
    for part in getattr(check, 'rules', ()):
        yield from _missing(part, rules, is_negated, seen)


def _missing_rule(name, rules, is_negated, seen):
    if name not in rules:
        yield Missing(f'rule:{name}', name, list(rules),
                      "a rule of Heat's or of its policy_file", is_negated)
    # oslo.policy asks no rule that names itself, and says so.
    elif name not in seen:
        yield from _missing(rules[name], rules, is_negated, seen | {name})


def _missing_of_token(check):
    for name in _NAMED.findall(check.match):
        if name not in TARGET:
            yield (f'%({name})s', name, TARGET, 'any of '
                   + ', '.join(f'%({each})s' for each in TARGET))
    if (type(check) is _OF_TOKEN and not _is_literal(check.kind)
            and check.kind.partition('.')[0] not in KEYS):
        yield (str(check), check.kind, [*KEYS, 'role', 'rule'],
               'role:, rule:, or one of ' + ', '.join(KEYS))


def _is_literal(kind):
    try:
        ast.literal_eval(kind)
    except (ValueError, SyntaxError):
        return False
    return True
