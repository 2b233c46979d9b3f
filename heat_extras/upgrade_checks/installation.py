# SPDX-License-Identifier: Apache-2.0

"""Checks of what is installed: they need no database and no service."""

from importlib import metadata

from oslo_upgradecheck import upgradecheck

from heat_extras import activation
from heat_extras import conf as heat_extras_conf
from heat_extras.config_validation import validation
from heat_extras.lifecycle import registry

_OURS = 'heat_extras.'


def check_configuration(conf):
    """Look at every option, file and plugin, as engines that start do.

    :param conf: Heat's own, ``oslo_config.cfg.CONF``: plugins read it.
    """
    names = (None if validation.asks_for_features(conf)
             else heat_extras_conf.FEATURES)
    try:
        by_process = {process: validation.find_errors(conf, process, names)
                      for process in (activation.ENGINE, activation.API)}
        doubts = validation.find_warnings(conf)
    finally:
        registry.forget()
    found = list(dict.fromkeys(sum(by_process.values(), [])))
    if found:
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE, '%s %s: %s.' % (
                'Engines and API services' if by_process[activation.API]
                else 'Engines',
                'would not start with features turned on' if names
                else 'will not start', '; '.join(found)))
    if doubts:
        return upgradecheck.Result(upgradecheck.Code.WARNING,
                                   '; '.join(doubts))
    return upgradecheck.Result(upgradecheck.Code.SUCCESS)


def check_heat(conf):
    """Look at Heat's release, and at the signature of all that is patched.

    An engine with one that does not fit refuses to start.
    """
    found = activation.problems(conf)
    if found:
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE,
            'Engines and API services will not start: %s. Install the '
            'heat-extras that supports this Heat, or empty [heat_extras] '
            'features.' % '; '.join(found))
    return upgradecheck.Result(upgradecheck.Code.SUCCESS)


def check_plugins():
    """Load every plugin of ours but lifecycle plugins.

    Those are loaded with their options, see :func:`check_configuration`.
    """
    failures = [text for text in map(_load, _plugins()) if text]
    if failures:
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE,
            'Plugins that do not load: %s. Repair or uninstall them.'
            % '; '.join(failures))
    return upgradecheck.Result(upgradecheck.Code.SUCCESS)


def _plugins():
    found = metadata.entry_points()
    return [entry for group in sorted(found.groups)
            if group.startswith(_OURS) for entry in found.select(group=group)]


def _load(entry):
    try:
        entry.load()
    except (Exception, SystemExit) as error:
        return '%s (%s): found %s: %s' % (
            entry.name, entry.value, type(error).__name__, error)
