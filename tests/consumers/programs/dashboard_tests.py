# SPDX-License-Identifier: Apache-2.0

"""Run heat-dashboard's unit tests, in Horizon's environment.

``dashboard_tests.py TARGET`` writes the result of each test, like
``upstream_tests.py``, and the module of the URLs of the stack pages.
``DJANGO_SETTINGS_MODULE`` names the settings.
"""

import contextlib
import json
import sys
from unittest import mock

import django
from django.test import runner
import upstream_tests

_TESTS = 'heat_dashboard.test.tests'


class Runner(runner.DiscoverRunner):
    """Record the result."""

    def run_suite(self, suite, **options):
        self.result = upstream_tests.Result()
        return suite.run(self.result)


def main():
    target, = sys.argv[1:]
    django.setup()
    ran = Runner(verbosity=0, interactive=False)
    with _heat_without_plan():
        ran.run_tests([_TESTS])
    unread = [test for test in ran.result.found if '_FailedTest' in test]
    if unread:
        sys.exit(f'Not to be imported: {unread}')
    with open(target, 'w') as written:
        json.dump({'found': ran.result.found, 'said': ran.result.said,
                   'answers': {}, 'urls': _urls()}, written, indent=1,
                  sort_keys=True)


def _heat_without_plan():
    """Return the preview of an update, which these tests do not replace.

    They replace all other functions that send requests to Heat.
    """
    if not _urls():
        return contextlib.nullcontext()
    from heat_extras_dashboard import heat_api
    return mock.patch.object(heat_api, 'preview_update', return_value=None)


def _urls():
    # Panels exist only after Horizon has been started.
    from heat_dashboard.content.stacks import panel
    return panel.Stacks.urls or ''


if __name__ == '__main__':
    main()
