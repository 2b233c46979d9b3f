# SPDX-License-Identifier: Apache-2.0

"""What people read of words in templates whose feature is off."""

from heat_extras import sanitize

_WHAT = {'parameters': ('updatable: false of parameter ', 'stacks with '
                        '"updatable: false"', 'stack with "updatable: false"'),
         'update_policy': ('update_policy.allow of resource ',
                           'stacks with "update_policy.allow"',
                           'stack with "update_policy.allow"'),
         'stack_lock': ('', 'locked or protected stacks',
                        'locked or protected stack')}
# How many parameters or resources an event names.
_NAMED = 5
# What the column of an event's reason holds.
_CHARACTERS = 255


def idle(found):
    """Tell the author of a stack what it says in vain.

    :param found: by the name of a feature, paths of parameters or resources.
    """
    said = [_WHAT[feature][0] + sanitize.listing(sorted(names), ', ',
                                                 most=_NAMED)
            for feature, names in sorted(found.items()) if names]
    off = sorted(feature for feature, names in found.items() if names)
    # Who can help comes first: Heat cuts what is too long for a column.
    return sanitize.cut(
        f'Not guarded: {" and ".join(off)} of heat-extras '
        f'{"is" if len(off) == 1 else "are"} off in this cloud (ask its '
        f'operator), so these words do nothing: {"; ".join(said)}',
        _CHARACTERS)


def counted(counts):
    """Say how many stacks would be guarded by features that are off.

    :param counts: by the name of the feature.
    """
    return ', '.join(
        f'{count} {_WHAT[feature][1 if count > 1 else 2]}'
        for feature, count in counts.items() if count)


def at_start(counts):
    """Tell an operator, when an engine starts."""
    return (f'heat-extras: found {counted(counts)}, which do nothing now: '
            f'{", ".join(name for name in counts if counts[name])} not in '
            '[heat_extras] features. heat-extras-status upgrade check names '
            'them')
