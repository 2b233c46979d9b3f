# SPDX-License-Identifier: Apache-2.0

"""Check how far the nodes of a cluster of databases may be apart."""

from oslo_upgradecheck import upgradecheck
import sqlalchemy

# The bit of wsrep_sync_wait with which a node reads what was committed on the
# others before.
_READS = 1
_OPTION = 'mysql_wsrep_sync_wait'


def check_cluster(conf, engine):
    """Look whether reads wait on a Galera cluster, as Heat needs it.

    Nothing tells here whether engines write to several nodes: so it is a
    warning, which says when it does not matter.
    """
    found = _variables(engine)
    if (found.get('wsrep_on') != 'ON'
            or found.get('wsrep_provider', 'none') == 'none'):
        return upgradecheck.Result(upgradecheck.Code.SUCCESS,
                                   'Not a node of a Galera cluster.')
    # oslo.db has the option since 12.1.
    configured = getattr(conf.database, _OPTION, None)
    value = (int(found.get('wsrep_sync_wait', 0)) if configured is None
             else configured)
    if value & _READS:
        return upgradecheck.Result(
            upgradecheck.Code.SUCCESS,
            'Reads wait for what was committed on other nodes: '
            'wsrep_sync_wait is %d.' % value)
    return upgradecheck.Result(
        upgradecheck.Code.WARNING,
        'Found wsrep_sync_wait %d on a Galera cluster, wanted 1 unless all '
        'engines use the same node, as behind a proxy with one writer. On '
        'several nodes an engine may not see yet what another one has '
        "written: Heat's own operations get stuck, and a stack can be shown "
        'without its lock. Set [database] %s = 1 in heat.conf of '
        'all hosts and restart the engines, or wsrep_sync_wait = 1 on all '
        'nodes.' % (value, _OPTION))


def _variables(engine):
    if engine.dialect.name not in ('mysql', 'mariadb'):
        return {}
    with engine.connect() as connection:
        return {name: value for name, value in connection.execute(
            sqlalchemy.text("SHOW GLOBAL VARIABLES LIKE 'wsrep%'"))}
