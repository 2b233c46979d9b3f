# SPDX-License-Identifier: Apache-2.0

"""Options of plans."""

from oslo_config import cfg

OPTIONS = [
    cfg.StrOpt(
        'plan_required_tag',
        default='', max_length=80,
        # Like Heat's tags: in a request, commas separate several tags.
        regex='^[^,]*$',
        help='Tag of root stacks that users can update only with a plan, '
             'together with their nested stacks. Other updates and restores '
             'of these stacks are rejected, also for administrators and with '
             'a lock pass. The tag from before an update counts. Requires the '
             'features plan and update_policy. If empty (the default), no '
             'update needs a plan. All engines of a cloud need the same '
             'value.'),
]
