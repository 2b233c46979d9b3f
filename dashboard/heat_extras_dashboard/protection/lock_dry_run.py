# SPDX-License-Identifier: Apache-2.0

"""The dry run of a lock of level all."""

from heatclient import exc

from heat_extras_dashboard import display_choices
from heat_extras_dashboard import heat_api
from heat_extras_dashboard.protection import targets
from heat_extras_dashboard import request_errors


def list_resources(request, chosen):
    """List the resources that a lock would protect, and the others.

    :param chosen: a list of targets.
    :returns: the targets whose dry run has succeeded, and a list with a dict
        for each of their resources.
    """
    succeeded, resources = [], []
    for target in chosen:
        try:
            answer = heat_api.lock_manager(request).lock(
                targets.stack_identity(target), level='all', dry_run=True,
                **_current_lock(target))
        except exc.HTTPUnauthorized:
            raise
        except request_errors.FAILURES as error:
            request_errors.show_error(request, display_choices.LOCK,
                                      targets.stack_name(target), error)
        else:
            succeeded.append(target)
            resources += map(_with_text, answer['lock']['resources'])
    return succeeded, resources


def _with_text(resource):
    protection = resource['lock_protection']
    return {**resource, 'protection': display_choices.COVERAGE.get(
        protection, protection)}


def _current_lock(target):
    # Without it, the dry run on another user's lock would be rejected.
    lock_id = targets.lock_id(target)
    return {} if lock_id is None else {'lock_id': lock_id, 'replace': True}
