# SPDX-License-Identifier: Apache-2.0

"""Checks of the installation, without the database and other services."""

from importlib import metadata
import pathlib
import sys

from oslo_upgradecheck import upgradecheck

from heat_extras import activation
from heat_extras.cmd import cli_config
from heat_extras.cmd import paste
from heat_extras import conf as heat_extras_conf
from heat_extras import config_validation
from heat_extras.lifecycle import registry
from heat_extras import operator_errors
from heat_extras import paste_ini

_GROUP_PREFIX = 'heat_extras.'


def check_configuration(conf):
    """Check every option, file and plugin, as an engine does at its start.

    :param conf: Heat's ``oslo_config.cfg.CONF``, which plugins read.
    """
    names = (None if config_validation.asks_for_features(conf)
             else heat_extras_conf.FEATURES)
    try:
        by_process = {process: config_validation.find_errors(conf, process,
                                                             names)
                      for process in (activation.ENGINE, activation.API)}
        warnings = config_validation.find_warnings(conf)
    finally:
        registry.discard_prepared()
    problems = list(dict.fromkeys(sum(by_process.values(), [])))
    if problems:
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE, '%s %s: %s.' % (
                'Engines and API services' if by_process[activation.API]
                else 'Engines',
                'would not start with features enabled' if names
                else 'will not start', '; '.join(problems)))
    if warnings:
        return upgradecheck.Result(upgradecheck.Code.WARNING,
                                   '; '.join(warnings))
    return upgradecheck.Result(upgradecheck.Code.SUCCESS)


def check_heat(conf):
    """Check Heat's release, and the signatures of everything that is patched.

    If a signature is different, an engine does not start.
    """
    problems = activation.problems(conf)
    if problems:
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE,
            'Engines and API services will not start: %s. %s.' % (
                '; '.join(problems), activation.REMEDY))
    return upgradecheck.Result(upgradecheck.Code.SUCCESS)


def check_plugins():
    """Load every plugin of heat-extras except lifecycle plugins.

    :func:`check_configuration` loads lifecycle plugins with their options.
    """
    failures = [*filter(None, map(_find_load_error, _list_entry_points()))]
    if failures:
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE,
            'Plugins that cannot be loaded: %s. Repair or uninstall them.'
            % '; '.join(failures))
    return upgradecheck.Result(upgradecheck.Code.SUCCESS)


def _list_entry_points():
    entry_points = metadata.entry_points()
    return [entry for group in sorted(entry_points.groups)
            if group.startswith(_GROUP_PREFIX)
            for entry in entry_points.select(group=group)]


def _find_load_error(entry):
    try:
        entry.load()
    except (Exception, SystemExit) as error:
        return '%s (%s): %s: %s' % (
            entry.name, entry.value, type(error).__name__, error)


def check_paste(conf):
    """Check for the filter in the paste file that heat.conf names."""
    if not config_validation.asks_for_features(conf):
        return upgradecheck.Result(
            upgradecheck.Code.SUCCESS,
            'Not needed, because [heat_extras] features is empty.')
    path = paste.find_paste_file(conf)
    if not path:
        return upgradecheck.Result(
            upgradecheck.Code.WARNING,
            "The paste file of Heat's API services does not exist on this "
            'host: %s. If this host runs API services, set [paste_deploy] '
            'api_paste_config to the path of their paste file. A host that '
            'runs only engines does not need this file.'
            % conf.paste_deploy.api_paste_config)
    try:
        state = paste.inspect_paste_file(conf, path)
    except (cli_config.CommandError, OSError) as error:
        return upgradecheck.Result(upgradecheck.Code.FAILURE, str(error))
    problem = _find_lost_file(conf, state)
    if problem:
        return upgradecheck.Result(
            upgradecheck.Code.WARNING,
            '%s. The API services of this host will not start. A host that '
            'runs only engines does not need this paste file.' % problem)
    if not state.is_complete:
        return upgradecheck.Result(upgradecheck.Code.FAILURE,
                                   paste.missing_filter_message(state, path))
    for used in (path, *filter(None, state.around)):
        environment = _find_other_environment(used)
        if environment:
            return upgradecheck.Result(
                upgradecheck.Code.WARNING,
                'The paste file %s belongs to the Python environment %s, but '
                'this command runs in %s. If you remove that environment, API '
                'services do not start. Set the path of a paste file in this '
                'environment, or outside of environments.'
                % (used, environment, sys.prefix))
    return upgradecheck.Result(upgradecheck.Code.SUCCESS)


def _find_other_environment(path):
    """Return the Python environment of a file, unless it is this one."""
    here = pathlib.Path(sys.prefix).resolve()
    for parent in pathlib.Path(path).resolve().parents:
        if (parent / 'pyvenv.cfg').exists():
            return None if parent == here else parent


def _find_lost_file(conf, state):
    try:
        for named in state.around:
            # Paste replaces %(here)s and the like.
            if '%(' not in (named or ''):
                paste_ini.find_heat_paste_file(conf, named)
    except operator_errors.ActivationError as error:
        return str(error)
