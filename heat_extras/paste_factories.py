# SPDX-License-Identifier: Apache-2.0

"""Paste factories: the entry points of the API services.

Use the filter in Heat's own api-paste.ini, or the composite in the paste file
that heat-extras ships. In both cases the patches are applied before Heat's
application is created, and an API that cannot apply them does not start.
"""

from oslo_config import cfg
from oslo_log import log as logging
from paste import deploy

from heat_extras import entry_points
from heat_extras import paste_ini

LOG = logging.getLogger(__name__)


def filter_factory(global_conf, **local_conf):
    """Apply the patches, and return a filter that changes no request."""
    _activate()
    return lambda application: application


def composite_factory(loader, global_conf, app, heat_paste_config=None):
    """Apply the patches, then load Heat's own application.

    :param app: the name of the application in Heat's paste file.
    :param heat_paste_config: the path of Heat's paste file. By default, search
        it as Heat does, then beside the Python environment.
    :raises ActivationError: if there is no such file.
    """
    _activate()
    path = paste_ini.find_heat_paste_file(cfg.CONF, heat_paste_config)
    return deploy.loadapp(f'config:{path}', name=app)


def _activate():
    try:
        # Inside the try clause, so that a missing package is logged.
        from heat_extras import activation
        activation.activate(cfg.CONF, activation.API)
        return
    except Exception as error:
        cause = error
    # WSGI servers print the traceback, but not all of them to Heat's log.
    # After the except clause: inside, oslo.log repeats the error in the line.
    LOG.critical('heat-extras: this API is not started: %s',
                 entry_points.describe_import_error(cause, entry_points.ENGINE)
                 if isinstance(cause, ImportError) else cause)
    raise cause
