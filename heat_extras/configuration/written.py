# SPDX-License-Identifier: Apache-2.0

"""What an operator has written, before oslo.config makes values of it.

Pure: nothing of Heat is imported.
"""

from collections import abc
import glob
import os
import typing

from oslo_config import cfg

# Of a section: the names of its options, and what was written last.
Section = dict[str, str]


def sections(conf: typing.Any) -> list[tuple[str, Section]]:
    """Read the files of a configuration again.

    :param conf: one that has been read; without files there are none.
    :returns: names of sections as they are written, and what is in them, in
        the order in which they count.
    """
    return [(name, {option: values[-1] for option, values in found.items()})
            for path in _files(conf)
            for name, found in _parse(path).items()]


def section(conf: typing.Any, group: str) -> Section:
    """Return what is written in the files for one group."""
    found: Section = {}
    for name, options in sections(conf):
        # oslo_config.cfg._normalize_group_name.
        if name.lower() == group:
            found.update(options)
    return found


def value(conf: typing.Any, group: str, option: str) -> str | None:
    """Return what is written for one option; None when nothing is.

    The environment counts more than files do.
    """
    found = os.environ.get(f'OS_{group.upper()}__{option.upper()}')
    return section(conf, group).get(option) if found is None else found


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
