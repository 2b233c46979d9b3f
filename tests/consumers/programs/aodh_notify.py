# SPDX-License-Identifier: Apache-2.0

"""Send an alarm to Aodh's notifier: aodh_notify.py CONF ACTION DATA TIMES.

It runs in Aodh's environment. All notifiers are loaded as ``aodh-notifier``
loads them, and its endpoint gets the message that the evaluator would send;
what it logs goes to stderr.
"""

import json
import sys

from aodh import notifier
from aodh import service
from stevedore import extension


def main():
    path, action, reason_data, times = sys.argv[1:]
    conf = service.prepare_service([], [path], with_gmr=False)
    notifiers = extension.ExtensionManager(
        notifier.AlarmNotifierService.NOTIFIER_EXTENSIONS_NAMESPACE,
        invoke_on_load=True, invoke_args=(conf,))
    endpoint = notifier.AlarmEndpoint(notifiers)
    for _ in range(int(times)):
        endpoint.sample([{'payload': {
            'actions': [action], 'alarm_id': 'alarm-1', 'alarm_name': 'load',
            'severity': 'low', 'previous': 'ok', 'current': 'alarm',
            'reason': 'too much of it',
            'reason_data': json.loads(reason_data)}}])


if __name__ == '__main__':
    main()
