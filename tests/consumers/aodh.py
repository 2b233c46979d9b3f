# SPDX-License-Identifier: Apache-2.0

"""Released notifier of Aodh in a separate environment."""

import functools
import json
import os
import urllib.parse

from tests.consumers import environments
from tests.harness import command
from tests.harness import software

_HERE = os.path.dirname(__file__)
_PROGRAM = os.path.join(_HERE, 'programs', 'aodh_notify.py')
_CONF = """
[DEFAULT]
use_stderr = true
rest_notifier_max_retries = {retries}
[service_credentials]
auth_type = password
auth_url = {auth_url}
username = aodh
password = secret
user_domain_id = default
project_domain_id = default
project_name = service
region_name = RegionOne
"""


@functools.cache
def place():
    """Return the directory of Aodh; install it if needed."""
    return software.Software('aodh-venv', 'HEAT_EXTRAS_AODH_VENV',
                             os.path.join(_HERE, 'aodh.txt')).environment()


@functools.cache
def release():
    """Return the name and release of the software."""
    return software.releases(place(), 'aodh')


class Notifier:
    """The service that sends the requests of alarms.

    :param auth_url: of Keystone
    :param project: of the user who made the alarm, and gave Aodh a trust
    :param retries: a setting of Aodh's; this is its default
    """

    def __init__(self, directory, auth_url, project, retries=0):
        self._path = os.path.join(directory, 'aodh.conf')
        # The format in which Aodh writes the trust into an alarm's actions.
        self._trust = urllib.parse.quote(
            f'{environments.CONSUMER}/{project}', safe='') + ':delete'
        with open(self._path, 'w') as target:
            target.write(_CONF.format(auth_url=auth_url, retries=retries))

    def signal(self, url, times=1):
        """Run an alarm that posts to a URL with a token of the trust."""
        scheme, _, rest = url.partition('://')
        return self._ring(f'trust+{scheme}://{self._trust}@{rest}', {},
                          times)

    def heal(self, times=1, **reason_data):
        """Run an alarm that makes Heat replace members of a group."""
        return self._ring(f'trust+heat://{self._trust}@', reason_data, times)

    def _ring(self, action, reason_data, times):
        done = command.run([
            os.path.join(place(), 'bin', 'python'), _PROGRAM, self._path,
            action, json.dumps(reason_data), str(times)])
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)
        return done.stdout + done.stderr
