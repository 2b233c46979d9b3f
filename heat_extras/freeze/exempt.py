# SPDX-License-Identifier: Apache-2.0

"""Evaluate the rule of oslo.policy in ``exempt``, and check it for typos.

oslo.policy does not report rules that no policy file has, nor keys that no
token has. They never match.
"""

import copy
import re

from heat import policies
from oslo_context import context as oslo_context
from oslo_log import log as logging
from oslo_policy import policy

from heat_extras import entry_points
from heat_extras.freeze import file_parser
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

#: The keys of a token that a rule can compare, with the additions of
#: heat.common.context. Do not create a context of Heat for this: its enforcer
#: would be created before the rules of heat-extras are registered.
KEYS = sorted({'user', 'tenant', 'is_admin', 'auth_token_info',
               *oslo_context.RequestContext(
                   overwrite=False).to_policy_values()})
# A rule can have a literal of Python in place of a key.
_LITERAL = re.compile(r'[\'"].*|True|False|None|\d+')
# The class of checks that compare a key of a token.
_OF_TOKEN = type(policy.RuleDefault('freeze', 'no_such_kind:1').check)


def is_exempt(context, window):
    """Return whether the caller's token exempts from a window."""
    if window.exempt is None:
        return False
    try:
        # If the rule names other rules, use this host's policy file.
        enforcer = context.policy.enforcer
        enforcer.load_rules()
        return bool(enforcer.enforce(
            policy.RuleDefault('freeze', window.exempt).check,
            {name: getattr(context, name) for name in file_parser.TARGET},
            context.to_policy_values()))
    # For example, a check can use a server that is unavailable.
    except Exception as error:
        LOG.error('heat-extras: the exempt rule %(rule)r of freeze '
                  '"%(freeze)s" cannot be evaluated, so the freeze applies to '
                  'all callers: %(error)s',
                  {'freeze': window.name, 'rule': window.exempt,
                   'error': error})
        return False


def find_warnings(conf, windows):
    """List parts of exempt rules that never match.

    :param windows: the windows of a file without errors.
    :returns: a list of sentences.
    """
    rules = [each for each in windows if each.exempt is not None]
    known = _known_rules(conf) if rules else ()
    return [f'{file_parser.OPTION}: {conf.heat_extras.freezes_file}, freeze '
            f'{each.name}: exempt: {part} never matches: expected {expected}'
            for each in rules for part, expected in dict.fromkeys(_unmatched(
                policy.RuleDefault('freeze', each.exempt).check, known))]


def _unmatched(check, known):
    if isinstance(check, policy.RuleCheck) and check.match not in known:
        yield (sanitize.quote(str(check)),
               'a rule of Heat or of its policy_file')
    elif (type(check) is _OF_TOKEN and not _LITERAL.fullmatch(check.kind)
            and check.kind.partition('.')[0] not in KEYS):
        yield (sanitize.quote(str(check)),
               'role:, rule:, or one of ' + ', '.join(KEYS))
    for part in getattr(check, 'rules', ()):
        yield from _unmatched(part, known)


def _known_rules(conf):
    # Do not use Heat's own enforcer, see KEYS.
    enforcer = policy.Enforcer(conf)
    enforcer.suppress_deprecation_warnings = True
    enforcer.suppress_default_change_warnings = True
    enforcer.register_defaults(copy.deepcopy(list(policies.list_rules())))
    for rule in (*entry_points.list_rules_of_actions(),
                 *entry_points.list_rules_of_guards()):
        if rule.name not in enforcer.registered_rules:
            enforcer.register_default(rule)
    enforcer.load_rules()
    return enforcer.rules
