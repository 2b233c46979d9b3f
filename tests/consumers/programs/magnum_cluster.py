# SPDX-License-Identifier: Apache-2.0

"""A user of Magnum: ``magnum_cluster.py OPERATION NAME``.

``openstack coe cluster`` waits for nothing, so its users' scripts look at the
status of the cluster, as this does.
"""

import sys
import time

import openstack

PAUSE = 2
# The time until Magnum starts: it responds before that.
PATIENCE = 45
NODES = {'create': 1, 'update': 2, 'failing update': 13}
GONE = 'GONE'


class Failed(Exception):
    """The status of a cluster in Magnum."""


class Cluster:
    def __init__(self, name):
        self._session = openstack.connect().session
        self._name = name

    def ask(self, method, path, **body):
        return self._session.request(
            path, method, raise_exc=False, headers={
                'OpenStack-API-Version': 'container-infra 1.9'},
            endpoint_filter={'service_type': 'container-infra',
                             'interface': 'public'}, **body)

    def operate(self, operation):
        if operation == 'create':
            answer = self.ask('POST', '/clusters', json={
                'name': self._name, 'cluster_template_id': 'small',
                'node_count': NODES[operation], 'master_count': 1})
        elif operation == 'delete':
            answer = self.ask('DELETE', f'/clusters/{self._name}')
        else:
            answer = self.ask(
                'PATCH', f'/clusters/{self._name}?rollback=true', json=[{
                    'op': 'replace', 'path': '/node_count',
                    'value': NODES[operation]}])
        if answer.status_code >= 300:
            raise Failed(answer.text)

    def look(self):
        """Return the status of the cluster, why, and when that came."""
        answer = self.ask('GET', f'/clusters/{self._name}')
        # 400 for a moment: Magnum counts the nodes of a new cluster before it
        # has noted how many it is to have.
        if answer.status_code in (400, 404):
            return GONE, None, None
        if answer.status_code >= 300:
            raise Failed(answer.text)
        body = answer.json()
        return body['status'], body.get('status_reason') or body.get(
            'faults'), body['updated_at']


def main():
    operation, name = sys.argv[1:]
    cluster = Cluster(name)
    before = cluster.look()
    cluster.operate(operation)
    end = time.monotonic() + PATIENCE
    while (shown := cluster.look()) == before:
        if time.monotonic() > end:
            raise Failed(f'{name} is {shown[0]} as before: Magnum took the '
                         'request, and nothing came of it')
        time.sleep(PAUSE)
    # The first status may be from the start of the operation.
    while (shown := cluster.look())[0].endswith('_IN_PROGRESS'):
        time.sleep(PAUSE)
    status, reason, _ = shown
    wanted = {'create': 'CREATE_COMPLETE', 'delete': GONE}.get(
        operation, 'UPDATE_COMPLETE')
    if status != wanted:
        raise Failed(f'{name} {status}: {reason}')
    print(status)


if __name__ == '__main__':
    try:
        main()
    except (Failed, openstack.exceptions.SDKException) as error:
        sys.exit(str(error))
