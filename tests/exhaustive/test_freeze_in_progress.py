# SPDX-License-Identifier: Apache-2.0

"""Operations started before a freeze finish, also in nested stacks."""

from tests.exhaustive import test_parent_call
from tests.functional import base
from tests.functional import freeze_base


class OperationInProgressTest(freeze_base.FreezeTestCase):
    template = test_parent_call.ROOT
    files = test_parent_call.FILES

    def create(self):
        return self.client.create_stack(self.name, self.template,
                                        files=self.files)

    def begin_update(self, **fields):
        self.assert_status(202, self.client.put(self.path, {
            'template': self.template, 'files': self.files,
            'parameters': {'value': 'two', 'wait': 4}}))
        # Heat updates the nested stacks one after the other during the freeze.
        self.freeze(**fields)
        self.assert_frozen(self.client.delete(self.path), 'delete')

    def test_update_started_before_freeze_updates_nested_stacks(self):
        self.begin_update()
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_cancel_during_freeze_rolls_back_nested_stacks(self):
        self.begin_update()
        self.assert_status(200, self.client.post(
            self.path + '/actions', {'cancel_update': None}))
        self.client.wait_for_stack(self.path, ['ROLLBACK_COMPLETE'])

    def test_create_and_delete_started_before_freeze_complete(self):
        answer = self.client.post('/stacks', {
            'stack_name': 'late', 'template': self.template,
            'files': self.files})
        self.freeze()
        path = f'/stacks/late/{answer.json()["stack"]["id"]}'
        self.client.wait_for_stack(path, ['CREATE_COMPLETE'])
        self.write_file()
        self.client.delete(path)
        self.freeze()
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])


class LegacyOperationInProgressTest(OperationInProgressTest):
    more = base.LEGACY
