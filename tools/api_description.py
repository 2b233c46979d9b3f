#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Print the description of the API, or check that the shipped one is it.

Usage: api_description.py [--write FILE | --check heat_extras/openapi.json]
"""

import configparser
import json
import pathlib
import sys

import generated_page
from oslo_service import backend

# As heat.cmd.engine does, before anything else can choose.
backend.init_backend(backend.BackendType.THREADING)

from openapi import document  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent


def version():
    """Return the version of the tree, whatever is installed."""
    read = configparser.ConfigParser()
    read.read(ROOT / 'setup.cfg')
    return read['metadata']['version']


def text():
    """Return the description, the same for every run."""
    return json.dumps(document.document(version()), indent=1) + '\n'


if __name__ == '__main__':
    if sys.argv[1:2] == ['--check']:
        if pathlib.Path(sys.argv[2]).read_text() != text():
            sys.exit(f'{sys.argv[2]} is not the API as the code has it: run '
                     f'{sys.argv[0]} --write {sys.argv[2]}')
    else:
        generated_page.show_or_write(text())
