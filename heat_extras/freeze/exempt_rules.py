# SPDX-License-Identifier: Apache-2.0

"""What rules in ``exempt`` name that there is not.

Who is meant by a role or an id nobody can know; but a rule of no policy, and
a key that no token has, are never true, and oslo.policy does not say so.
"""

import ast
import copy
import difflib
import re

from heat import policies
from oslo_context import context as oslo_context
from oslo_policy import policy

from heat_extras import entrances
from heat_extras.freeze import exemption
from heat_extras.freeze import freezes_file
from heat_extras import text as texts

_NAMED = re.compile(r'%\((.*?)\)')
#: What a rule can ask of a token: what heat.common.context adds, and the rest.
#: A context of Heat's would make its enforcer, before our rules are among its.
KEYS = sorted({'user', 'tenant', 'is_admin', 'auth_token_info',
               *oslo_context.RequestContext(
                   overwrite=False).to_policy_values()})
# The class of checks that compare what a token has.
_OF_TOKEN = type(policy.RuleDefault('freeze', 'no_such_kind:1').check)


def doubts(conf, windows):
    """List what exempt rules name in vain.

    :param windows: those of a good file.
    :returns: sentences.
    """
    rules = {each.exempt: policy.RuleDefault('freeze', each.exempt).check
             for each in windows if each.exempt is not None}
    if not rules:
        return []
    known = _policies(conf)
    said = {rule: list(dict.fromkeys(_unknown(check, known)))
            for rule, check in rules.items()}
    return [f'{freezes_file.OPTION}: {conf.heat_extras.freezes_file}, freeze '
            f'{each.name}: exempt: {each_said}; it is never true'
            for each in windows for each_said in said.get(each.exempt, ())]


def _policies(conf):
    # Not Heat's own enforcer, as above.
    enforcer = policy.Enforcer(conf)
    enforcer.suppress_deprecation_warnings = True
    enforcer.suppress_default_change_warnings = True
    enforcer.register_defaults(copy.deepcopy(list(policies.list_rules())))
    for rule in (*entrances.list_rules_of_actions(),
                 *entrances.list_rules_of_guards()):
        if rule.name not in enforcer.registered_rules:
            enforcer.register_default(rule)
    enforcer.load_rules()
    return set(enforcer.rules)


def _unknown(check, known):
    for part in getattr(check, 'rules', None) or (
            [check.rule] if isinstance(check, policy.NotCheck) else []):
        yield from _unknown(part, known)
    if not isinstance(check, policy.Check):
        return
    if isinstance(check, policy.RuleCheck):
        if check.match not in known:
            yield _said(f'rule:{check.match}', check.match, known,
                        "a rule of Heat's or of its policy_file")
        return
    for name in _NAMED.findall(check.match):
        if name not in exemption.TARGET:
            yield _said(f'%({name})s', name, exemption.TARGET, 'any of '
                        + ', '.join(f'%({each})s'
                                    for each in exemption.TARGET))
    if type(check) is _OF_TOKEN and not _is_literal(check.kind):
        yield from _unknown_key(check)


def _unknown_key(check):
    if check.kind.partition('.')[0] not in KEYS:
        yield _said(str(check), check.kind, [*KEYS, 'role', 'rule'],
                    'role:, rule:, or one of ' + ', '.join(KEYS))


def _is_literal(kind):
    try:
        ast.literal_eval(kind)
    except (ValueError, SyntaxError):
        return False
    return True


def _said(found, name, known, wanted):
    meant = difflib.get_close_matches(name, list(known), 1)
    return (f'found {texts.quote(found)}, wanted {wanted}'
            + (f'; did you mean {meant[0]}?' if meant else ''))
