# SPDX-License-Identifier: Apache-2.0

"""Tell which tests the last run of stestr skipped, and why.

Who has no database server gets a green run that has not tried everything;
the reason of each skip says what would bring it.

Usage: list_skipped.py [--repo-url DIRECTORY] (where stestr keeps the run)
"""

import collections
import io
import subprocess
import sys

import subunit
import testtools

# With this each packet begins, and what stestr says of no run does not.
_SUBUNIT = b'\xb3'


def reasons(stream):
    """Count the skipped tests of a run.

    :param stream: a binary file with what stestr keeps of it, subunit v2.
    :returns: a :class:`collections.Counter` by reason.
    """
    counts = collections.Counter()

    def note(test):
        if test['status'] == 'skip':
            reason = test['details'].get('reason')
            counts[reason.as_text() if reason else 'no reason given'] += 1
    result = testtools.StreamToDict(note)
    result.startTestRun()
    subunit.ByteStreamToStreamResult(stream).run(result)
    result.stopTestRun()
    return counts


def main(where):
    last = subprocess.run(['stestr', *where, 'last', '--subunit'],
                          stdout=subprocess.PIPE)
    if not last.stdout.startswith(_SUBUNIT):
        print('No test was run, so none was skipped.')
        return 0
    skipped = reasons(io.BytesIO(last.stdout))
    for reason, count in sorted(skipped.items()):
        print(f'{count} skipped: {reason}')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
