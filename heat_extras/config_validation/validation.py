# SPDX-License-Identifier: Apache-2.0

"""Errors in ``[heat_extras]``, found before anything starts.

:func:`find_errors` reads every option, every file that an option names, and
every lifecycle plugin, once. Engines and API services that start and
``heat-extras-status upgrade check`` call it. oslo.config checks a value when
the value is read, which may be in the thread of an operation.
"""

import contextlib
import difflib
import glob
import math
import os

from oslo_config import cfg

from heat_extras import conf as heat_extras_conf
from heat_extras import errors
from heat_extras.freeze import file_parser
from heat_extras.lifecycle import registry
from heat_extras import monkey_patch

GROUP = heat_extras_conf.GROUP

# How similar a name is to the intended one: heat-extras is.
_ALIKE = 0.85


def find_errors(conf, process, names=None):
    """List what keeps a process from being started with these options.

    Features are checked once all values are valid, and files and plugins once
    all features are.

    :param process: ``engine`` or ``api``. Files and plugins are those of an
        engine's host; an API service needs none of them.
    :param names: the features to check in place of those that are enabled.
    :returns: sentences, none with the value of a secret.
    """
    heat_extras_conf.register_opts(conf)
    found = list(option_errors(conf).values())
    if found:
        return found
    known, unknown = read_features(conf)
    if unknown:
        return unknown_features(unknown)
    if 'lifecycle' not in (names or known):
        found += _idle_plugins(conf)
    elif process == monkey_patch.ENGINE:
        found += registry.find_errors(conf)
    found += _freezes(conf, process, names or known)
    return list(dict.fromkeys(found))


def option_errors(conf):
    """Read all options, but no files nor plugins.

    :returns: a sentence for each that is not valid, by its name.
    """
    found = {}
    for option in heat_extras_conf.heat_extras_opts:
        error = _option_error(conf, option)
        if error:
            found[option.dest] = f'[{GROUP}] {option.dest}: {error}'
    return found


def _option_error(conf, option):
    try:
        value = conf[GROUP][option.dest]
    except cfg.ConfigSourceValueError as error:
        # The words of the type alone, without the location.
        return ' '.join(str(error.__context__).split())
    # A bare KeyError and others come from substitution.
    except Exception:
        return ('a $ names an option that does not exist; write $$ for the '
                'character itself')
    if _is_lacking(value, option):
        return 'a value is missing'
    if isinstance(value, float) and not math.isfinite(value):
        return f'{value} is not valid: expected a finite number'


def read_features(conf):
    """Read which features are enabled.

    :returns: the sorted names of those that exist, and of those that do not.
    """
    found = set(conf[GROUP].features)
    known = set(heat_extras_conf.FEATURES)
    if 'all' in found:
        found = (found - {'all'}) | known
    return sorted(found & known), sorted(found - known)


def asks_for_features(conf):
    """Return whether any feature is enabled, or the option is not valid."""
    try:
        return bool(conf[GROUP].features)
    except Exception:
        # A $ that names no option: find_errors() reports it.
        return True


def unknown_features(unknown):
    """Describe features that do not exist.

    :returns: sentences; none when there are no such.
    """
    if not unknown:
        return []
    return [f'[{GROUP}] features: {", ".join(map(repr, unknown))} is not '
            'valid: expected "all" or any of '
            + ', '.join(heat_extras_conf.FEATURES)]


def find_warnings(conf, process=monkey_patch.ENGINE):
    """List what is written in heat.conf and is probably a mistake.

    That is an option or section that does not exist, a plugin that is never
    called, and a part of an exempt rule that never matches. Plugins, which
    may have options of their own in the section, must be loaded before, as
    :func:`find_errors` does.

    :param process: as in :func:`find_errors`.
    :returns: sentences; no engine stops because of them.
    """
    heat_extras_conf.register_opts(conf)
    known = list(conf[GROUP])
    sections = list(_sections(conf))
    # As oslo_config.cfg._normalize_group_name.
    written = dict.fromkeys(option for name, options in sections
                            if name.lower() == GROUP for option in options)
    found = [f'[{GROUP}] {name}: no option has this name; '
             + _instead(name, known) for name in written if name not in known]
    if not option_errors(conf):
        found += registry.find_warnings(conf)
        if process == monkey_patch.ENGINE:
            found += _exempt_in_vain(conf)
    return found + [
        f'[{name}]: this section is not read; did you mean [{GROUP}]?'
        for name, _ in sections if name.lower() != GROUP
        and difflib.get_close_matches(name.lower(), [GROUP], 1, _ALIKE)]


def _instead(name, known):
    meant = difflib.get_close_matches(name, known, 1, _ALIKE)
    return (f'did you mean {meant[0]}?' if meant
            else 'remove it, unless something else on this host reads it')


def _is_lacking(value, option):
    # oslo_config.types.Number makes None of what is empty, also in a map, and
    # a list that is empty is not the default either.
    if isinstance(value, dict):
        return None in value.values()
    return value in (None, []) and option.default not in (None, [])


def _freezes(conf, process, names):
    path = conf[GROUP].freezes_file
    if not path:
        return []
    if 'freeze' not in names:
        return [_needs_feature('freezes_file', 'freeze')]
    try:
        if process == monkey_patch.ENGINE:
            file_parser.load(path)
    except errors.ActivationError as error:
        return list(error.args)
    return []


def _exempt_in_vain(conf):
    # Policies are Heat's, and nothing else here is.
    from heat_extras.freeze import exempt
    path = conf[GROUP].freezes_file
    try:
        found = file_parser.load(path).windows if path else ()
        return exempt.find_warnings(conf, found)
    # find_errors() reports a file with errors, and Heat one of policies.
    except Exception:
        return []


def _idle_plugins(conf):
    return [_needs_feature(option, 'lifecycle')
            for option in heat_extras_conf.PLUGIN_SWITCHES
            if conf[GROUP][option]]


def _needs_feature(option, feature):
    return (f'[{GROUP}] {option}: requires feature {feature}; add it to '
            'features, or unset the option')


def _sections(conf):
    """Yield the sections of the files: names, and options, as written."""
    for path in _files(conf):
        found = {}
        # It was good when oslo.config read it.
        with contextlib.suppress(OSError, ValueError, cfg.ParseError):
            cfg.ConfigParser(path, found).parse()
        yield from found.items()


def _files(conf):
    yield from getattr(conf, 'config_file', None) or ()
    for folder in getattr(conf, 'config_dir', None) or ():
        yield from sorted(glob.glob(os.path.join(folder, '*.conf')))
