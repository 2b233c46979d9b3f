# SPDX-License-Identifier: Apache-2.0

"""A complete Heat in one process: database, engine and API.

Import this only after :func:`heat_extras.sandbox.interpreter.prepare`.
"""

import socketserver
import threading
from wsgiref import simple_server

from heat.common import config as heat_config
from heat.common import messaging
from heat.db import api as db_api
from heat.db import migration as heat_migration
from heat.engine import template
from heat.rpc import api as rpc_api
from heat import version
from oslo_config import cfg
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import migration
from heat_extras.sandbox import sqlite

LOG = logging.getLogger(__name__)

HOST = '127.0.0.1'
STOP_SECONDS = 10


class Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    """Process each request in a thread of its own.

    The socket is bound immediately, so that a port in use is reported before
    Heat starts. ``set_app`` adds the application.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port):
        super().__init__((HOST, port), _RequestHandler)


class _RequestHandler(simple_server.WSGIRequestHandler):

    def log_message(self, format, *args):
        LOG.info(format, *args)


def configure(config_files):
    """Read the configuration and set up logging and messaging, like Heat.

    :param config_files: paths of files. Later files override earlier files
    """
    logging.register_options(cfg.CONF)
    cfg.CONF(args=[], project='heat', prog='heat-api',
             version=version.version_info.version_string(),
             default_config_files=config_files, default_config_dirs=[])
    # Without oslo.log's locks for eventlet: with them, other green threads run
    # during a transaction, and SQLite would then block all green threads.
    logging.setup(cfg.CONF, 'heat', fix_eventlet=False)
    logging.set_defaults()
    heat_config.set_config_defaults()
    messaging.setup()
    heat_config.startup_sanity_check()


def prepare_database(features):
    """Create or update the database, like an operator's two db_sync commands.

    This uses an engine of SQLAlchemy of its own, whose transactions do not
    take the write lock. ``heat.db.migration._upgrade_alembic`` opens a second
    connection during a transaction, and would wait for itself.

    :param features: empty to create only Heat's own tables and columns
    """
    engine = sqlalchemy.create_engine(cfg.CONF.database.connection)
    sqlite.set_pragmas(engine)
    with sqlite.never_reuse_ids():
        heat_migration.db_sync(engine=engine)
    if features:
        migration.upgrade(engine)
    # Before Heat creates its engine of SQLAlchemy.
    db_api.context_manager.append_on_engine_create(sqlite.prepare_engine)


def start_engine():
    """Start heat-engine in this process, like ``heat.cmd.engine``.

    As in a real cloud, ``EngineService()`` loads heat-extras by its entry
    point.

    :returns: the running service
    """
    template._get_template_extension_manager()
    # Import it as late as heat.cmd.engine, after the configuration is read.
    from heat.engine import service
    _serialize_yaql()
    engine = service.EngineService(cfg.CONF.host, rpc_api.ENGINE_TOPIC)
    engine.start()
    return engine


def _serialize_yaql():
    """Let threads parse YAQL expressions one after another.

    All threads of Heat use the same parser, which is not thread-safe: an
    update could fail with "Bad expression", or not end.
    """
    from heat.engine.hot import functions
    create, lock = functions.Yaql.get_yaql_parser, threading.Lock()

    def get_yaql_parser(cls):
        def parse(expression):
            with lock:
                return create()(expression)
        with lock:
            create()
        return parse
    functions.Yaql.get_yaql_parser = classmethod(get_yaql_parser)


def start_api(web_server):
    """Load the API from the paste file, and start it.

    :param web_server: a :class:`Server`
    """
    web_server.set_app(heat_config.load_paste_app('heat-api'))
    threading.Thread(target=web_server.serve_forever, daemon=True,
                     name='sandbox-api').start()


def stop_engine(engine):
    """Stop the engine, and wait for its stacks for a limited time.

    ``EngineService.stop`` waits for all threads. Stacks that are still in
    progress after the limit stay IN_PROGRESS, as if the engine was killed.
    """
    stopping = threading.Thread(target=_stop_engine, args=[engine],
                                daemon=True, name='sandbox-stop')
    stopping.start()
    stopping.join(STOP_SECONDS)
    if stopping.is_alive():
        LOG.warning('Operations of stacks did not end within %d seconds, and '
                    'their stacks stay IN_PROGRESS', STOP_SECONDS)


def _stop_engine(engine):
    try:
        engine.stop()
    except Exception:
        # An engine fails to stop before its first report to the database.
        LOG.exception('The engine failed to stop')
