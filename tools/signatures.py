# SPDX-License-Identifier: Apache-2.0

"""Report what the installed Heat changed of what heat-extras relies on.

Whichever release it is, also one that setup.cfg does not allow yet: this is
how the next one is looked at. Exits with 1 when something changed.
"""

import sys

from heat import version

from heat_extras import activation
from heat_extras import conf
from heat_extras.heat_internals import private_names
from heat_extras import monkey_patch
from heat_extras import rpc_request


def changes():
    """List what changed, by feature and process, in sentences."""
    sentences = []
    for feature in conf.FEATURES:
        for process in (activation.ENGINE, activation.API):
            place = f'{feature}, {process}: '
            try:
                problems = monkey_patch.problems(
                    activation.records([feature], process))
            except Exception as error:
                # A module of Heat's that moved or lost what ours import.
                problems = [f'found {type(error).__name__}: {error}']
            sentences += [place + problem for problem in problems]
    return [*sentences, *rpc_request.find_problems(),
            *private_names.find_problems([*conf.FEATURES, 'sandbox'])]


def main():
    release = version.version_info.version_string()
    problems = changes()
    for line in problems:
        print(line)
    print(f'Heat {release}: {len(problems)} changes that heat-extras has to '
          f'follow (it supports {activation.SUPPORTED_HEAT}).')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
