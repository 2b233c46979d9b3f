# SPDX-License-Identifier: Apache-2.0

"""The configuration files of a cloud: those of a sandbox, and others."""

import os

from heat_extras.sandbox import state_directory

_SHARED = """\
[DEFAULT]
transport_url = {transport}
num_engine_workers = 1
# Engines that died are to be noticed soon, and lost calls given up.
periodic_interval = {periodic_interval}
engine_life_check_timeout = 2
rpc_response_timeout = 20
{more}

[oslo_messaging_rabbit]
heartbeat_timeout_threshold = 10

[database]
connection = {database}
"""

_OWN = """\
[DEFAULT]
host = {name}
log_file = {directory}/{name}.log
environment_dir = {heat_etc}/environment.d
template_dir = {heat_etc}/templates

[database]
connection = {database}

[heat_extras]
features = {features}
{more}
"""

PERIODIC_SECONDS = 2


def write_shared(directory, port, transport, database, more=''):
    """Write the settings of all processes of a cloud.

    :param port: of the API
    :param more: settings of the section DEFAULT
    :returns: paths of the files
    """
    return [state_directory.write_files(directory, port, 'all'),
            _write(os.path.join(directory, 'shared.conf'), _SHARED.format(
                transport=transport, database=database.replace('%', '%%'),
                periodic_interval=PERIODIC_SECONDS, more=more))]


def write_own(directory, name, features, database, more='', programs=''):
    """Write the settings of one process.

    :param name: of the process, which becomes its host name
    :param programs: the directory of programs of its environment
    :param database: its URL, on the server that this process talks to
    :param more: options of the section heat_extras, with ``{name}`` for that
    :returns: path of the file
    """
    return _write(os.path.join(directory, f'{name}.conf'), _OWN.format(
        name=name, directory=directory, features=features,
        more=more.format(name=name),
        heat_etc=os.path.join(os.path.dirname(programs), 'etc', 'heat'),
        database=database.replace('%', '%%')))


def _write(path, text):
    with open(path, 'w', encoding='utf-8') as target:
        target.write(text)
    return path
