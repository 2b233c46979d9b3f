# SPDX-License-Identifier: Apache-2.0

"""The plan of an update, as the form of the update shows it."""

import json

from django.utils import crypto
from django.utils.translation import gettext as _
from heat_extras.client import plan_file
from heat_extras.client import plan_tree

from heat_extras_dashboard import display_choices

# The field of the form with the fingerprint of the plan that it shows.
SHOWN = 'shown_plan'

_INDENT_EM = 1.5
_STYLES = {'added': 'text-success', 'updated': 'text-warning',
           'replaced': 'text-danger', 'removed': 'text-danger',
           'unchanged': 'text-muted'}
# The plan and its stops without messages, which can contain the time.
_ENTRY_KEYS = ('path', 'resource_type', 'action', 'certainty', 'order')
_STOP_KEYS = ('type', 'certainty', 'when')


class UpdatePlan:
    """The plan of an update with certain values.

    :ivar fingerprint: of the plan and the values. It does not reveal them.
    :ivar request: the body of the update. If all engines can apply plans, it
        has the plan, so that Heat rejects an update that would differ from it.
    :ivar rows: the resources that change or are stopped, as dicts.
    :ivar stops: sentences on what stops the whole update, or may stop it.
    """

    def __init__(self, fields, changes):
        """Create the plan.

        :param fields: the body of the update.
        :param changes: the lists of its preview.
        """
        plan, stops = changes['plan'], changes['plan_stops']
        source = changes.get(plan_file.SOURCE)
        self.request = (plan_file.add_plan(fields, source, plan, stops)
                        if source else fields)
        self.fingerprint = _fingerprint(fields, plan, stops)
        stops = plan_tree.make_printable(stops)
        self.summary = plan_tree.format_summary(plan)
        self.has_changes = any(map(plan_tree.is_change, plan))
        self.is_rejected = plan_tree.is_rejected(plan, stops)
        self.will_fail = plan_tree.is_stopped(plan, stops)
        self.may_fail = bool(plan_tree.all_stops(plan, stops))
        self.stops = list(map(plan_tree.format_stop, stops))
        self.rows = list(map(_row, plan_tree.list_rows(plan)))

    @property
    def submit_label(self):
        """Return the text of the button that sends the form again."""
        if self.is_rejected:
            return _('Plan Again')
        return _('Update Anyway') if self.will_fail else _('Update')


def _row(row):
    entry = row.entry
    is_unknown = entry['certainty'] == 'unknown'
    return {
        'symbol': row.symbol.strip(),
        'change': display_choices.CHANGES[
            'unknown' if is_unknown else entry['action'],
            entry['certainty'] == 'may'],
        'style': 'text-info' if is_unknown else _STYLES[entry['action']],
        'indent': f'{row.depth * _INDENT_EM}em',
        'parent': row.parent, 'name': row.name,
        'resource_type': entry['resource_type'], 'notes': row.notes,
        'stops': list(map(plan_tree.format_stop, entry['stops']))}


def _fingerprint(fields, plan, stops):
    planned = [
        fields,
        [[*_select(entry, _ENTRY_KEYS), entry.get('values'),
          [_select(stop, _STOP_KEYS) for stop in entry['stops']]]
         for entry in plan],
        [_select(stop, _STOP_KEYS) for stop in stops]]
    # With the key of this Horizon: the values can be secret.
    return crypto.salted_hmac(
        __name__, json.dumps(planned, sort_keys=True),
        algorithm='sha256').hexdigest()


def _select(entry, keys):
    return [entry[key] for key in keys]
