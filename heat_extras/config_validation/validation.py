# SPDX-License-Identifier: Apache-2.0

"""What is wrong in ``[heat_extras]``, all of it, before anything starts.

:func:`find_errors` reads every option, every file that one names, and every
lifecycle plugin, once. Engines and API services that start and
``heat-extras-status upgrade check`` call it. oslo.config looks at a value
when it is asked for, which may be in the thread of an operation.
"""

from collections import abc
import contextlib
import difflib
import glob
import math
import os
import typing

from oslo_config import cfg
from oslo_config import types

from heat_extras import conf as heat_extras_conf
from heat_extras import errors
from heat_extras.freeze import file_parser
from heat_extras.lifecycle import registry
from heat_extras.lifecycle_plugins import options as plugin_options
from heat_extras import monkey_patch

GROUP = heat_extras_conf.GROUP

# How much alike a name is to the one that was meant: heat-extras is.
_ALIKE = 0.85

# Of a section: the names of its options, and what was written last.
Section = dict[str, str]


def find_errors(conf, process, names=None):
    """List what keeps a process from being started with these options.

    :param process: ``engine`` or ``api``. Files and plugins are those of an
        engine's host; an API service needs none of them.
    :param names: the features to look at in place of those that are wanted.
    :returns: sentences, none with the value of a secret.
    """
    heat_extras_conf.register_opts(conf)
    wrong = option_errors(conf)
    found = list(wrong.values())
    with _at_default(conf, wrong):
        known, unknown = read_features(conf)
        found += unknown_features(unknown)
        if unknown or 'features' in wrong:
            # Who knows which ones are meant.
            names = heat_extras_conf.FEATURES
        if 'lifecycle' not in (names or known):
            found += _idle_plugins(conf)
        elif process == monkey_patch.ENGINE:
            found += registry.problems(conf)
        found += _freezes(conf, process, names or known)
    return list(dict.fromkeys(found))


def option_errors(conf):
    """Read all options, but no files nor plugins.

    :returns: a sentence for each that is wrong, by its name.
    """
    found = {}
    for option in heat_extras_conf.heat_extras_opts:
        try:
            value = conf[GROUP][option.dest]
        except cfg.ConfigSourceValueError as error:
            found[option.dest] = _misfit(conf, option, error)
        # A bare KeyError and others come from substitution.
        except Exception:
            found[option.dest] = _dollar(conf, option)
        else:
            if _is_lacking(value, option) or _is_endless(value):
                found[option.dest] = _misfit(conf, option, value)
    return found


def read_features(conf):
    """Read which features are wanted.

    :returns: the sorted names of those that there are, and of those that
        there are not.
    """
    found = set(conf[GROUP].features)
    if not found and asks_for_features(conf):
        found = {''}
    known = set(heat_extras_conf.FEATURES)
    if 'all' in found:
        found = (found - {'all'}) | known
    return sorted(found & known), sorted(found - known)


def asks_for_features(conf):
    """Return whether any feature is wanted, or what cannot be read.

    A comma alone makes an empty list, and is no way to want nothing.
    """
    try:
        return bool(conf[GROUP].features
                    or (raw_value(conf, GROUP, 'features') or '').strip())
    except Exception:
        # A $ that names no option: whoever reads on tells of it.
        return True


def unknown_features(unknown):
    """Tell of features that there are not.

    :returns: sentences; none when there are no such.
    """
    if not unknown:
        return []
    found = ', '.join(name or 'nothing between commas' for name in unknown)
    return [f'[{GROUP}] features: found {found}, wanted "all" or any of '
            + ', '.join(heat_extras_conf.FEATURES)]


def find_warnings(conf, process=monkey_patch.ENGINE):
    """List what is written in heat.conf and probably not meant so.

    That is an option or section that does not exist, a plugin that is never
    called, and a part of an exempt rule that never matches. Plugins, which
    may have options of their own in the section, must be loaded before, as
    :func:`find_errors` does.

    :param process: as in :func:`find_errors`.
    :returns: sentences; no engine stops because of them.
    """
    heat_extras_conf.register_opts(conf)
    known = list(conf[GROUP])
    found = [f'[{GROUP}] {name}: found no option of this name; '
             + _instead(name, known)
             for name in raw_section(conf, GROUP) if name not in known]
    with _at_default(conf, option_errors(conf)):
        found += registry.doubts(conf)
        if process == monkey_patch.ENGINE:
            found += _exempt_in_vain(conf)
    return found + [
        f'[{name}]: found a section that nobody reads; did you mean '
        f'[{GROUP}]?' for name, _ in raw_sections(conf)
        if name.lower() != GROUP
        and difflib.get_close_matches(name.lower(), [GROUP], 1, _ALIKE)]


def _instead(name, known):
    meant = difflib.get_close_matches(name, known, 1, _ALIKE)
    return (f'did you mean {meant[0]}?' if meant
            else 'take it out, unless something else here reads it')


def _is_lacking(value, option):
    # oslo_config.types.Number makes None of what is empty, also in a map, and
    # a list that is empty is not the default either.
    if isinstance(value, dict):
        return None in value.values()
    return value in (None, []) and option.default not in (None, [])


def _is_endless(value):
    return isinstance(value, float) and not math.isfinite(value)


def _misfit(conf, option, said):
    found = _found(conf, option, said)
    return (f'[{GROUP}] {option.dest}: found {found}, wanted '
            + describe_type(option.type))


def _dollar(conf, option):
    raw = None if option.secret else raw_value(conf, GROUP, option.dest)
    what = 'a $ that names' if raw is None else f'{_line(raw)}, whose $ names'
    return (f'[{GROUP}] {option.dest}: found {what} no option, wanted $$ for '
            'the character itself')


def _found(conf, option, said):
    if option.secret:
        return 'a value that does not fit'
    raw = raw_value(conf, GROUP, option.dest)
    return _line(said if raw is None else raw) or 'nothing'


def _line(text):
    # A URL may have a password in it.
    return plugin_options.shown_url(' '.join(str(text).split()))


@contextlib.contextmanager
def _at_default(conf, names):
    # So that what is wrong does not hide what else is: a plugin whose URL
    # is not set reads no other option.
    wrong = [option for option in heat_extras_conf.heat_extras_opts
             if option.dest in names]
    try:
        for option in wrong:
            conf.set_override(option.dest, getattr(
                option.type, 'stand_in', option.default), GROUP)
        yield
    finally:
        for option in wrong:
            conf.clear_override(option.dest, GROUP)


def _freezes(conf, process, names):
    path = conf[GROUP].freezes_file
    if not path:
        return []
    if 'freeze' not in names:
        return [f'[{GROUP}] freezes_file: found no feature freeze, which '
                'reads it, wanted it in features; add it, or unset the option']
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
    return [f'[{GROUP}] {option}: found no feature lifecycle, which calls '
            'the plugin, wanted it in features; add it, or unset the option'
            for option in heat_extras_conf.PLUGIN_SWITCHES
            if conf[GROUP][option]]


def describe_type(kind: typing.Any) -> str:
    """Tell which values a type of oslo.config takes."""
    own = getattr(kind, 'wanted', None)
    if own:
        return own
    if isinstance(kind, types.Boolean):
        return 'true or false'
    if isinstance(kind, types.Number):
        return _number(kind)
    if isinstance(kind, types.List):
        return f'{_items(kind.item_type)}, with commas between'
    if isinstance(kind, types.Dict):
        return ('NAME:VALUE, with commas between several, each VALUE '
                + describe_type(kind.value_type))
    if getattr(kind, 'choices', None):
        return f'one of {_choices(kind)}'
    return _text(kind)


def _text(kind: typing.Any) -> str:
    most = getattr(kind, 'max_length', None)
    pattern = getattr(kind, 'regex', None)
    return ('text' + (f' of at most {most} characters' if most else '')
            + (f' that matches {pattern.pattern}' if pattern else ''))


def _number(kind: typing.Any) -> str:
    name = 'a whole number' if kind.num_type is int else 'a number'
    if kind.min is not None and kind.max is not None:
        return f'{name} from {kind.min} to {kind.max}'
    if kind.min is not None:
        return f'{name}, {kind.min} or more'
    return name if kind.max is None else f'{name}, {kind.max} or less'


def _items(kind: typing.Any) -> str:
    return (f'one or more of {_choices(kind)}'
            if getattr(kind, 'choices', None) else 'texts')


def _choices(kind: typing.Any) -> str:
    return ', '.join(map(str, kind.choices))


def raw_sections(conf: typing.Any) -> list[tuple[str, Section]]:
    """Read the files of a configuration again.

    :param conf: one that has been read; without files there are none.
    :returns: names of sections as they are written, and what is in them, in
        the order in which they count.
    """
    return [(name, {option: values[-1] for option, values in found.items()})
            for path in _files(conf)
            for name, found in _parse(path).items()]


def raw_section(conf: typing.Any, group: str) -> Section:
    """Return what is written in the files for one group."""
    found: Section = {}
    for name, options in raw_sections(conf):
        # oslo_config.cfg._normalize_group_name.
        if name.lower() == group:
            found.update(options)
    return found


def raw_value(conf: typing.Any, group: str, option: str) -> str | None:
    """Return what is written for one option; None when nothing is.

    The environment counts more than files do.
    """
    found = os.environ.get(f'OS_{group.upper()}__{option.upper()}')
    return raw_section(conf, group).get(option) if found is None else found


def _files(conf: typing.Any) -> abc.Iterator[str]:
    yield from getattr(conf, 'config_file', None) or ()
    for folder in getattr(conf, 'config_dir', None) or ():
        yield from sorted(glob.glob(os.path.join(folder, '*.conf')))


def _parse(path: str) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    try:
        cfg.ConfigParser(path, found).parse()
    except (OSError, ValueError, cfg.ParseError):
        # It was good when oslo.config read it.
        return {}
    return found
