# SPDX-License-Identifier: Apache-2.0

"""Find errors in ``[heat_extras]`` before a service starts.

:func:`find_errors` reads every option, every file of an option, and every
lifecycle plugin once. It is called when engines and API services start, and by
``heat-extras-status upgrade check``. oslo.config itself checks a value only
when it is read, which can be in the thread of an operation.
"""

import contextlib
import difflib
import glob
import math
import os

from oslo_config import cfg

from heat_extras import conf as heat_extras_conf
from heat_extras.freeze import file_parser
from heat_extras.lifecycle import registry
from heat_extras import monkey_patch
from heat_extras import operator_errors

GROUP = heat_extras_conf.GROUP

_FEATURES_OF_TAGS = {
    'plan_required_tag': ('plan', 'update_policy'),
    'resource_protection_tag': ('stack_lock', 'update_policy')}

# The similarity of names for a suggestion: enough for heat-extras.
_ALIKE = 0.85


def find_errors(conf, process, names=None):
    """List the reasons why a process cannot start with these options.

    Check the features after all values are valid, and files and plugins after
    all features are valid.

    :param process: ``engine`` or ``api``. Files and plugins are only checked
        for an engine, because an API service does not need them.
    :param names: the features to check in place of the enabled features.
    :returns: a list of sentences, without values of secrets.
    """
    heat_extras_conf.register_opts(conf)
    sentences = list(option_errors(conf).values())
    if sentences:
        return sentences
    known, unknown = read_features(conf)
    if unknown:
        return unknown_features(unknown)
    if 'lifecycle' not in (names or known):
        sentences += _idle_plugins(conf)
    elif process == monkey_patch.ENGINE:
        sentences += registry.find_errors(conf)
    sentences += _freezes(conf, process, names or known)
    sentences += _tags(conf, names or known)
    return list(dict.fromkeys(sentences))


def option_errors(conf):
    """Read all options, but not the files and plugins.

    :returns: a sentence for each option that is not valid, by its name.
    """
    sentences = {}
    for option in heat_extras_conf.heat_extras_opts:
        error = _option_error(conf, option)
        if error:
            sentences[option.dest] = f'[{GROUP}] {option.dest}: {error}'
    return sentences


def _option_error(conf, option):
    try:
        value = conf[GROUP][option.dest]
    except cfg.ConfigSourceValueError as error:
        # Only the text of the type, without the location.
        return ' '.join(str(error.__context__).split())
    # Substitution raises a KeyError and other errors.
    except Exception:
        return ('the value has a $ before the name of an option that does not '
                'exist. To use the character $ itself, write $$')
    if _is_missing(value, option):
        return 'a value is missing'
    if isinstance(value, float) and not math.isfinite(value):
        return f'{value} is not valid: expected a finite number'


def read_features(conf):
    """Read the enabled features.

    :returns: the sorted names of existing features, and of unknown features.
    """
    names = set(conf[GROUP].features)
    known = set(heat_extras_conf.FEATURES)
    if 'all' in names:
        names = (names - {'all'}) | known
    return sorted(names & known), sorted(names - known)


def asks_for_features(conf):
    """Return whether any feature is enabled, or the option is not valid."""
    try:
        return bool(conf[GROUP].features)
    except Exception:
        # The value has a $ without an option. find_errors() reports it.
        return True


def unknown_features(unknown):
    """Describe features that do not exist.

    :returns: a list of sentences.
    """
    if not unknown:
        return []
    return [f'[{GROUP}] features: {", ".join(map(repr, unknown))} is not '
            'valid: expected "all" or any of '
            + ', '.join(heat_extras_conf.FEATURES)]


def find_warnings(conf, process=monkey_patch.ENGINE):
    """List probable mistakes in heat.conf.

    These are options and sections that do not exist, plugins that are never
    called, and parts of an exempt rule that never match. Call
    :func:`find_errors` before, because it loads the plugins, which can have
    options of their own in the section.

    :param process: as in :func:`find_errors`.
    :returns: a list of sentences. They do not stop a service.
    """
    heat_extras_conf.register_opts(conf)
    known = list(conf[GROUP])
    sections = list(_sections(conf))
    # Like oslo_config.cfg._normalize_group_name.
    written = dict.fromkeys(option for name, options in sections
                            if name.lower() == GROUP for option in options)
    sentences = [f'[{GROUP}] {name}: no option has this name. '
                 + _suggest(name, known)
                 for name in written if name not in known]
    if not option_errors(conf):
        sentences += registry.find_warnings(conf)
        if process == monkey_patch.ENGINE:
            sentences += _unmatched_exempt_rules(conf)
    return sentences + [
        f'[{name}]: this section is not read. Did you mean [{GROUP}]?'
        for name, _ in sections if name.lower() != GROUP
        and difflib.get_close_matches(name.lower(), [GROUP], 1, _ALIKE)]


def _suggest(name, known):
    similar = difflib.get_close_matches(name, known, 1, _ALIKE)
    return (f'Did you mean {similar[0]}?' if similar
            else 'Remove the option, unless another program on this host '
                 'reads it')


def _is_missing(value, option):
    # oslo_config.types.Number converts an empty value to None, also in a map.
    # An empty list is not the default either.
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
    except operator_errors.ActivationError as error:
        return list(error.args)
    return []


def _tags(conf, names):
    sentences = [_needs_feature(option, feature)
                 for option, features in _FEATURES_OF_TAGS.items()
                 for feature in features
                 if conf[GROUP][option] and feature not in names]
    tag = conf[GROUP].resource_protection_tag
    return sentences + [
        f'[{GROUP}] resource_protection_tag: {tag!r} is also the value of '
        f'{other}. Set different tags'
        for other in ('delete_protection_tag', 'plan_required_tag')
        if tag and tag == conf[GROUP][other]]


def _unmatched_exempt_rules(conf):
    # Not at the top, because only this imports Heat, for its policies.
    from heat_extras.freeze import exempt
    path = conf[GROUP].freezes_file
    try:
        windows = file_parser.load(path).windows if path else ()
        return exempt.find_warnings(conf, windows)
    # find_errors() reports errors of the file, and Heat errors of policies.
    except Exception:
        return []


def _idle_plugins(conf):
    return [_needs_feature(option, 'lifecycle')
            for option in heat_extras_conf.PLUGIN_SWITCHES
            if conf[GROUP][option]]


def _needs_feature(option, feature):
    return (f'[{GROUP}] {option}: requires the feature "{feature}". Add '
            f'"{feature}" to [{GROUP}] features, or unset {option}')


def _sections(conf):
    """Yield the sections of the files, with their options."""
    for path in _files(conf):
        sections = {}
        # oslo.config has already read the file without an error.
        with contextlib.suppress(OSError, ValueError, cfg.ParseError):
            cfg.ConfigParser(path, sections).parse()
        yield from sections.items()


def _files(conf):
    yield from getattr(conf, 'config_file', None) or ()
    for folder in getattr(conf, 'config_dir', None) or ():
        yield from sorted(glob.glob(os.path.join(folder, '*.conf')))
