# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1.views.stacks_view`: fields of locks."""

from heat_extras import monkey_patch
from heat_extras.parameters import values
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock import fields
from heat_extras.stack_lock import lock_record

EXTENDS = 'heat.api.openstack.v1.views.stacks_view'


@monkey_patch.value(why='a list of stacks shows only the keys in this tuple')
def basic_keys(original):
    # A set, because each key of each stack is searched here. A disabled
    # feature adds no value.
    return {*original, values.FIELD, *lock_record.PUBLIC_FIELDS,
            lock_record.PRIOR_STACK_STATUS, *protection.PUBLIC_FIELDS}


@monkey_patch.wrap('(req, stacks, count=None, include_project=False)',
                   why='this function creates the bodies of a list',
                   feature='stack_lock')
def collection(original, req, stacks, *args, **kwargs):
    return fields.add_fields_in_api(original(req, stacks, *args,
                                             **kwargs))
