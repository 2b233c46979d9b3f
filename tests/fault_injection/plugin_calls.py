# SPDX-License-Identifier: Apache-2.0

"""Check the number of pre and post calls of lifecycle plugins.

Each plugin is called once. If the engine was killed, or hung until it was
considered down, calls may be repeated, and the plugin whose pre call was in
progress may have no post call.
"""

import collections

# This plugin has no do_pre_op.
_ONLY_TOLD = 'test_post'


def find_missing_calls(journal, accepted):
    """List the accepted operations without a pre call.

    :param journal: the journal of the test plugins.
    :param accepted: a counter of (action, ID of a stack).
    :returns: a list of sentences.
    """
    asked = collections.defaultdict(set)
    for call in journal:
        if call['call'] == 'pre':
            asked[call['action'], call['id']].add(call['operation'])
    return [f'{action} of {stack_id} was accepted {count} times, and plugins '
            f'were asked of {len(asked[action, stack_id])}'
            for (action, stack_id), count in accepted.items()
            if count > len(asked[action, stack_id])]


def find_wrong_calls(journal, struck):
    """List the calls that contradict each other.

    :param journal: the journal of the test plugins, oldest first.
    :param struck: the sessions of the engines that were killed or hung.
    :returns: a list of sentences.
    """
    operations = collections.defaultdict(list)
    for call in journal:
        operations[call['operation']].append(call)
    return [f'{calls[0]["action"]} {name} of {calls[0]["stack"]}: {text}: '
            + ', '.join('{call} {plugin} by {session}'.format(**call)
                        for call in calls)
            for name, calls in operations.items()
            for text in _list_problems(calls, struck)]


def _list_problems(calls, struck):
    asked = [call for call in calls if call['call'] == 'pre']
    post_calls = collections.Counter(
        call['plugin'] for call in calls if call['call'] == 'post')
    # A plugin that could not read its stack has rejected the operation.
    names = [call['plugin'] for call in asked if 'error' not in call]
    if (asked and asked[-1]['session'] in struck
            and 'error' not in asked[-1]):
        # Its result was possibly not recorded yet.
        names.pop()
    missing = [name for name in names if name not in post_calls]
    if missing:
        yield f'{missing} were asked, and never told'
    strangers = post_calls.keys() - {call['plugin'] for call in asked}
    if strangers - {_ONLY_TOLD}:
        yield f'{strangers} were told, and never asked'
    if any(call['session'] in struck for call in calls):
        return
    if max(post_calls.values(), default=0) > 1:
        yield f'{dict(post_calls)} were told so often, and no engine failed'
    often = collections.Counter(call['plugin'] for call in asked)
    if max(often.values(), default=0) > 1:
        yield f'{dict(often)} were asked so often, and no engine failed'
