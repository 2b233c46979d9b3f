# SPDX-License-Identifier: Apache-2.0

"""The directory in which a sandbox keeps its stacks and settings."""

import contextlib
import fcntl
from importlib import metadata
from importlib import util
import os
import shutil
import tempfile

CONFIG_FILE = 'heat.conf'
PASTE_FILE = 'api-paste.ini'
DATABASE_FILE = 'heat.sqlite3'
LOG_FILE = 'heat.log'
# A copy of Heat's own file, because paste.deploy does not accept a path with a
# blank.
_HEAT_PASTE_FILE = 'heat-api-paste.ini'
_LOCK_FILE = 'sandbox.lock'
# The time for which a transaction waits for another one that writes.
BUSY_SECONDS = 60

# The key is not a secret, because anyone who can read the database could also
# read it. It must not change, so that a state directory can be used again.
_ENCRYPTION_KEY = 'sandbox-sandbox-sandbox-sandbox!'

_HEAT_CONF = """\
# This file is written at every start of heat-extras-sandbox. Use --config-file
# for your own options.
[DEFAULT]
transport_url = fake:///
keystone_backend = heat_extras.sandbox.fake_keystone.KeystoneClient
auth_encryption_key = {encryption_key}
log_file = {log_file}
# At every start, Heat would log each of about 300 resource types.
default_log_levels = heat.engine.environment=ERROR,keystoneauth=WARN,\
oslo_messaging=INFO,oslo_policy=INFO,routes.middleware=WARN,\
sqlalchemy=WARN,stevedore=WARN,urllib3.connectionpool=WARN
environment_dir = {heat_etc}/environment.d
template_dir = {heat_etc}/templates
heat_metadata_server_url = http://127.0.0.1:{port}
heat_waitcondition_server_url = http://127.0.0.1:{port}/v1/waitcondition
enable_stack_abandon = true
enable_stack_adopt = true

[clients_keystone]
auth_uri = http://127.0.0.1:{port}/identity/v3

[trustee]
auth_type = password
auth_url = http://127.0.0.1:{port}/identity/v3
username = heat
password = heat
user_domain_id = default

[database]
connection = sqlite:///{database}?timeout={busy_seconds}

[paste_deploy]
api_paste_config = {paste}

[heat_extras]
features = {features}
"""

_PASTE_INI = """\
[composite:heat-api]
use = egg:Paste#urlmap
/: api
/cfn: api-cfn
/identity: identity

[composite:api]
paste.composite_factory = heat.api:pipeline_factory
default = {first}{heat}#request_id {heat}#faultwrap tokens {heat}#context
  {heat}#versionnegotiation {heat}#apiv1app

[composite:api-cfn]
paste.composite_factory = heat.api:pipeline_factory
# Without the filter for signatures, because the token replaces them.
default = {first}{heat}#request_id tokens {heat}#context
  {heat}#cfnversionnegotiation {heat}#apicfnv1app

[app:identity]
paste.app_factory = heat_extras.sandbox.fake_keystone:app_factory

[filter:heat_extras]
use = egg:heat-extras#heat_extras

[filter:tokens]
paste.filter_factory = heat_extras.sandbox.fake_keystone:filter_factory
"""


class NotUsable(Exception):
    """A sandbox cannot use a directory, for the reason in the message."""


@contextlib.contextmanager
def hold_directory(path=None):
    """Lock a state directory, so that only this process uses it.

    :param path: the path of a directory, which is created if it does not
                 exist. None for a temporary directory, which is removed at the
                 end
    :returns: absolute path of the directory
    :raises NotUsable: if another sandbox uses the directory
    :raises OSError: if the directory cannot be created
    """
    with contextlib.ExitStack() as held:
        if path is None:
            path = held.enter_context(tempfile.TemporaryDirectory(
                prefix='heat-extras-sandbox-', ignore_cleanup_errors=True))
        path = os.path.abspath(path)
        os.makedirs(path, exist_ok=True)
        lock_file = held.enter_context(
            open(os.path.join(path, _LOCK_FILE), 'w'))
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise NotUsable(
                'State directory %s is in use by another sandbox. Stop the '
                'other sandbox, or give another --state-dir' % path) from error
        yield path


def write_files(state_dir, port, features):
    """Write heat.conf and the paste file into *state_dir*.

    The pipeline has a token filter in place of Keystone's middleware, and no
    filters for proxies and profilers.

    :param port: the port of the API
    :param features: the value of ``[heat_extras] features``, or an empty text
                     for a Heat without heat-extras in its pipeline
    :returns: path of heat.conf
    """
    heat_conf, paste = (os.path.join(state_dir, name)
                        for name in (CONFIG_FILE, PASTE_FILE))
    heat_etc = _find_heat_etc()
    shutil.copyfile(os.path.join(heat_etc, PASTE_FILE),
                    os.path.join(state_dir, _HEAT_PASTE_FILE))
    with open(heat_conf, 'w', encoding='utf-8') as target:
        target.write(_HEAT_CONF.format(
            encryption_key=_ENCRYPTION_KEY,
            log_file=os.path.join(state_dir, LOG_FILE), heat_etc=heat_etc,
            database=os.path.join(state_dir, DATABASE_FILE),
            busy_seconds=BUSY_SECONDS, paste=paste, port=port,
            features=features))
    with open(paste, 'w', encoding='utf-8') as target:
        target.write(_PASTE_INI.format(
            first='heat_extras ' if features else '',
            heat=f'config:{_HEAT_PASTE_FILE}'))
    return heat_conf


def _find_heat_etc():
    """Return the directory of Heat's own paste file.

    :raises NotUsable: if no such file can be read.
    """
    # pip installs the file below its prefix. This is not sys.prefix with
    # --user, or if a virtual environment uses the system's packages.
    places = [os.path.dirname(os.path.realpath(file.locate()))
              for file in metadata.files('openstack-heat') or ()
              if file.match(f'etc/heat/{PASTE_FILE}')]
    spec = util.find_spec('heat')
    if spec and spec.origin:
        # Heat is a checkout of its repository.
        places.append(os.path.join(
            os.path.dirname(os.path.dirname(spec.origin)), 'etc', 'heat'))
    # Packages of a distribution install the file here.
    places.append('/etc/heat')
    for place in places:
        if os.access(os.path.join(place, PASTE_FILE), os.R_OK):
            return place
    raise NotUsable(
        "Heat's %s cannot be read in any of these directories: %s. Install "
        'heat-extras[sandbox] in a new virtual environment'
        % (PASTE_FILE, ', '.join(dict.fromkeys(places))))
