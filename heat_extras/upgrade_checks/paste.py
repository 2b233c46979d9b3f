# SPDX-License-Identifier: Apache-2.0

"""Check that Heat's API services come to heat-extras."""

from oslo_upgradecheck import upgradecheck

from heat_extras.cmd import cli_config
from heat_extras.cmd import paste
from heat_extras.config_validation import validation
from heat_extras import errors
from heat_extras import paste_ini


def check_paste(conf):
    """Look for the filter in the paste file that heat.conf names."""
    if not validation.asks_for_features(conf):
        return upgradecheck.Result(
            upgradecheck.Code.SUCCESS,
            '[heat_extras] features is empty, none is needed.')
    path = paste.find(conf)
    if not path:
        return upgradecheck.Result(
            upgradecheck.Code.WARNING,
            "Found no %s here, wanted the paste file of Heat's API "
            'services; a host that runs engines only needs none.'
            % conf.paste_deploy.api_paste_config)
    try:
        state = paste.inspect(conf, path)
    except (cli_config.CommandError, OSError) as error:
        return upgradecheck.Result(upgradecheck.Code.FAILURE, str(error))
    lost = _lost(conf, state)
    if lost:
        return upgradecheck.Result(
            upgradecheck.Code.WARNING,
            '%s. API services of this host will not start; a host that runs '
            'engines only needs none.' % lost)
    if state.is_complete:
        return upgradecheck.Result(upgradecheck.Code.SUCCESS)
    return upgradecheck.Result(upgradecheck.Code.FAILURE,
                               paste.lacking(state, path))


def _lost(conf, state):
    try:
        for named in state.around:
            # Paste puts in values like %(here)s.
            if '%(' not in (named or ''):
                paste_ini.find_heats(conf, named)
    except errors.ActivationError as error:
        return str(error)
