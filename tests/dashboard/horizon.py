# SPDX-License-Identifier: Apache-2.0

"""Horizon as a process in a virtual environment."""

import os
import urllib.error
import urllib.request

import fixtures

from tests.harness import command
from tests.harness import ports
from tests.harness import process
from tests.harness import software

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(os.path.dirname(_HERE))


class Installed(software.Software):
    """Horizon and heat-dashboard, with their static files.

    heat-extras-dashboard has no static files. Horizon imports it from the
    checkout.
    """

    def __init__(self):
        super().__init__('horizon-venv', 'HEAT_EXTRAS_HORIZON_VENV',
                         os.path.join(_HERE, 'requirements.txt'))

    def install(self, place):
        super().install(place)
        for arguments in (('collectstatic', '--noinput'), ('compress',)):
            command.check([program(place), '-m', 'django', *arguments,
                           '--verbosity', '0'],
                          environment={**os.environ, **variables(place)},
                          seconds=software.INSTALL_SECONDS)


def program(place):
    """Return the Python of an environment."""
    return os.path.join(place, 'bin', 'python')


def variables(place, **more):
    """Return the environment variables of a process of Horizon."""
    return {'DJANGO_SETTINGS_MODULE': 'tests.dashboard.settings',
            'PYTHONPATH': os.pathsep.join(
                [_ROOT, os.path.join(_ROOT, 'dashboard')]),
            'PYTHONWARNINGS': 'ignore',
            'HEAT_EXTRAS_STATIC': os.path.join(place, 'static'), **more}


class Horizon(fixtures.Fixture):
    """A Horizon that runs as long as the fixture is used.

    :param auth_url: of Keystone.
    :param is_bare: whether heat-extras-dashboard is not enabled.
    :param page_size: the number of stacks on a page.
    """

    def __init__(self, auth_url, is_bare=False, page_size=20):
        super().__init__()
        self._more = {'HEAT_EXTRAS_AUTH_URL': auth_url,
                      'HEAT_EXTRAS_DASHBOARD': '' if is_bare else 'on',
                      'HEAT_EXTRAS_PAGE_SIZE': str(page_size)}

    def _setUp(self):
        place = Installed().environment()
        port = ports.free_port()
        self.url = f'http://127.0.0.1:{port}'
        self.process = process.Process(
            'horizon', [program(place), '-m', 'django', 'runserver',
                        '--noreload', '--insecure', f'127.0.0.1:{port}'],
            os.path.join(self.useFixture(fixtures.TempDir()).path, 'log'),
            environment=variables(place, **self._more),
            is_ready=self.answers)
        self.process.attach(self).start()

    def answers(self):
        """Return whether Horizon has a login page."""
        try:
            with urllib.request.urlopen(f'{self.url}/auth/login/') as answer:
                return answer.status == 200
        except (OSError, urllib.error.URLError):
            return False
