# SPDX-License-Identifier: Apache-2.0

"""What a lock of level all would protect, by its dry run."""

from heatclient import exc

from heat_extras_dashboard import display_choices
from heat_extras_dashboard import heat_api
from heat_extras_dashboard.protection import targets
from heat_extras_dashboard import request_errors


def list_resources(request, chosen):
    """Ask Heat for the resources that a lock would protect, or not.

    :param chosen: targets
    :returns: those of which Heat tells it, and a list of dicts, one for each
        of their resources
    """
    told, found = [], []
    for target in chosen:
        try:
            answer = heat_api.lock_manager(request).lock(
                targets.stack_identity(target), level='all', dry_run=True,
                **_lock_that_is_there(target))
        except exc.HTTPUnauthorized:
            raise
        except request_errors.FAILURES as error:
            request_errors.show_error(request, display_choices.LOCK,
                                      targets.stack_name(target), error)
        else:
            told.append(target)
            found += map(_told, answer['lock']['resources'])
    return told, found


def _told(resource):
    protection = resource['lock_protection']
    return {**resource, 'protection': display_choices.COVERAGE.get(
        protection, protection)}


def _lock_that_is_there(target):
    # Without it, the dry run on another user's lock would be rejected.
    lock_id = targets.lock_id(target)
    return {} if lock_id is None else {'lock_id': lock_id, 'replace': True}
