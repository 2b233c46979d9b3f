# SPDX-License-Identifier: Apache-2.0

"""A user of Tacker: ``tacker_vnf.py OPERATION NAME NOTE``.

``openstack vnflcm`` does not wait, so its users poll the occurrence of the
operation, like this program. After a failure, users can request the operations
``retry``, ``rollback`` or ``fail``.

The file ``NOTE`` contains the ID of the VNF.
"""

import json
import os
import sys
import time

import openstack

PAUSE = 1
PATIENCE = 10
VNFD = '0b4c6f0e-51d3-4ad1-9f2e-7b6f6c1f1842'
VALUES = {'create': 'one', 'update': 'two', 'failing update': 'three',
          'heal': 'one'}
ENDS = ('COMPLETED', 'FAILED_TEMP', 'FAILED', 'ROLLED_BACK')
# The final states other than COMPLETED.
WANTED = {'rollback': 'ROLLED_BACK', 'fail': 'FAILED'}


class Failed(Exception):
    """The status of an operation in Tacker."""


class Vnf:
    def __init__(self, name, note):
        self._session = openstack.connect().session
        self._name = name
        self._note = note

    def ask(self, method, path, **body):
        # Shortly after COMPLETED, Tacker still rejects further operations.
        end = time.monotonic() + PATIENCE
        while (answer := self._answer(method, path, **body)
               ).status_code == 409 and time.monotonic() < end:
            time.sleep(PAUSE)
        if answer.status_code >= 300:
            raise Failed(answer.text)
        return answer

    def _answer(self, method, path, **body):
        return self._session.request(
            path, method, raise_exc=False, headers={'Version': '2.0.0'},
            endpoint_filter={'service_type': 'nfv-orchestration',
                             'interface': 'public'}, **body)

    def operate(self, operation):
        """Request an operation; return the path of its occurrence."""
        if operation == 'create':
            self._create()
        words, body = self._request(operation)
        return self.ask('POST', f'{self.path}/{words}',
                        json=body).headers['Location']

    def again(self, operation):
        """Retry, roll back or fail a failed operation.

        :returns: the path of its occurrence, and when it had failed
        """
        # Tacker ignores a second condition after ';'.
        failed, = (each for each in self.ask(
            'GET', '/vnflcm/v2/vnf_lcm_op_occs?filter=(eq,vnfInstanceId,'
            f'{self.id})').json() if each['operationState'] == 'FAILED_TEMP')
        path = f'/vnflcm/v2/vnf_lcm_op_occs/{failed["id"]}'
        # The list uses a different format of this time.
        since = self.ask('GET', path).json()['stateEnteredTime']
        self.ask('POST', f'{path}/{operation}')
        return path, since

    def wait(self, path, before=None):
        """Wait for the end of an occurrence; return it.

        :param before: when it came to the end that it had before
        """
        while (body := self.ask('GET', path).json())[
                'operationState'] not in ENDS or (
                body['stateEnteredTime'] == before):
            time.sleep(PAUSE)
        return body

    def forget(self):
        self.ask('DELETE', self.path)

    @property
    def id(self):
        with open(self._note) as source:
            return source.read()

    @property
    def path(self):
        return f'/vnflcm/v2/vnf_instances/{self.id}'

    def _create(self):
        made = self.ask('POST', '/vnflcm/v2/vnf_instances', json={
            'vnfdId': VNFD, 'vnfInstanceName': self._name}).json()
        # Readers must find the complete file.
        with open(f'{self._note}.new', 'w') as target:
            target.write(made['id'])
        os.replace(target.name, self._note)

    def _request(self, operation):
        if operation == 'delete':
            return 'terminate', {'terminationType': 'FORCEFUL'}
        more = {'additionalParams': {
            # A heal of the whole VNF replaces the stack.
            'all': True,
            'lcm-operation-user-data': './UserData/web.py',
            'lcm-operation-user-data-class': 'Web',
            'web': {'value': VALUES[operation],
                    'is_bad': operation == 'failing update'}}}
        if operation == 'create':
            return 'instantiate', {
                'flavourId': 'simple', 'vimConnectionInfo': {'vim': vim()},
                **more}
        if operation == 'heal':
            return 'heal', more
        return 'scale', {'type': 'SCALE_OUT', 'aspectId': 'web', **more}


def vim():
    """Return the cloud OS_CLOUD in the format of Tacker."""
    with open(os.environ['OS_CLIENT_CONFIG_FILE']) as source:
        auth = json.load(source)['clouds'][os.environ['OS_CLOUD']]['auth']
    return {'vimType': 'ETSINFV.OPENSTACK_KEYSTONE.V_3',
            'interfaceInfo': {'endpoint': auth['auth_url']},
            'accessInfo': {
                'username': auth['username'], 'password': auth['password'],
                'project': auth['project_name'], 'region': 'RegionOne',
                'userDomain': 'Default', 'projectDomain': 'Default'}}


def main():
    operation, name, note = sys.argv[1:]
    vnf = Vnf(name, note)
    if operation in ('retry', 'rollback', 'fail'):
        answer = vnf.wait(*vnf.again(operation))
    else:
        answer = vnf.wait(vnf.operate(operation))
    if answer['operationState'] != WANTED.get(operation, 'COMPLETED'):
        error = answer.get('error') or {}
        raise Failed(f'{answer["operation"]} of {name} '
                     f'{answer["operationState"]}: {error.get("title")}: '
                     f'{error.get("detail")}')
    if operation == 'delete':
        vnf.forget()
    print(answer['operationState'])


if __name__ == '__main__':
    try:
        main()
    except (Failed, openstack.exceptions.SDKException) as error:
        sys.exit(str(error))
