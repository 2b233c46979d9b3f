# SPDX-License-Identifier: Apache-2.0

"""What operators are told of rules in ``exempt`` that ask in vain.

Who is meant by a role or an id nobody can know; but whether there is such a
rule, or such a key in a token.
"""

import copy
import difflib

from heat import policies
from oslo_policy import policy

from heat_extras import entry_points
from heat_extras.freeze import exempt_parts
from heat_extras.freeze import freezes_file
from heat_extras import sanitize


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
    said = {rule: [_said(each) for each in exempt_parts.missing(check, known)]
            for rule, check in rules.items()}
    return [f'{freezes_file.OPTION}: {conf.heat_extras.freezes_file}, freeze '
            f'{each.name}: exempt: {each_said}'
            for each in windows for each_said in said.get(each.exempt, ())]


def _policies(conf):
    # Not Heat's own enforcer, as exempt_parts has it.
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


def _said(missing):
    meant = difflib.get_close_matches(missing.name, missing.known, 1)
    return (f'found {sanitize.quote(missing.found)}, wanted {missing.wanted}'
            + (f'; did you mean {meant[0]}?' if meant else '')
            + ('; under a "not", so nobody is exempt' if missing.is_negated
               else '; it is never true'))
