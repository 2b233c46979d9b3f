# SPDX-License-Identifier: Apache-2.0

"""What a lock of level all would protect, by its dry run."""

from heatclient import exc

from heat_extras_dashboard import heat
from heat_extras_dashboard.protection import targets
from heat_extras_dashboard import refusals
from heat_extras_dashboard import words


def read(request, chosen):
    """Ask Heat for the resources that a lock would protect, or not.

    :param chosen: targets
    :returns: those of which Heat tells it, and a list of dicts, one for each
        of their resources
    """
    told, found = [], []
    for target in chosen:
        try:
            answer = heat.manager(request).lock(
                targets.identity(target), dry_run=True)
        except exc.HTTPUnauthorized:
            raise
        except refusals.FAILURES as error:
            refusals.tell(request, words.LOCK, targets.name(target), error)
        else:
            told.append(target)
            found += map(_told, answer['lock']['resources'])
    return told, found


def _told(resource):
    protection = resource['lock_protection']
    return {**resource, 'protection': words.COVERAGE.get(protection,
                                                         protection)}
