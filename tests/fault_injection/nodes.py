# SPDX-License-Identifier: Apache-2.0

"""What happens to the nodes of a cluster of databases, one at a time.

Two of three that are away leave no quorum, and two that were killed leave none
before an operator says which of them is right; so what happens to several at a
time is chosen, and is nothing that they don't come out of by themselves.
"""

import pymysql

from tests.fault_injection import faults

# A node is given up by the others after five seconds.
_GONE_SECONDS = 8
# A quorum that is lost is noticed as late.
_LOST_SECONDS = 12
_OF_ONE_SERVER = ('database restarted', 'disk of the database full')


class Faults(faults.Faults):
    """The same on a Galera, of which each engine uses a node of its own.

    :param server: a :class:`tests.harness.services.galera.Galera`.
    """

    def __init__(self, cloud, server, seed):
        super().__init__(cloud, server, seed)
        self._is_well = True

    def _cut_connections(self):
        for node in self._server.nodes:
            try:
                node.cut_connections()
            except pymysql.err.MySQLError:
                # It is away itself.
                continue
        yield 0

    def _one(self, harm, mend, seconds):
        """Harm a node and mend it, unless another one is away."""
        node = self._random.choice(self._server.nodes)
        yield from self._several([node], harm, mend, seconds)

    def _several(self, nodes, harm, mend, seconds):
        if not self._is_well:
            yield 0
            return
        self._is_well = False
        # What is not told of while a node is away, others take for dead.
        self.struck |= {each.pid for each in self._cloud.engines.values()}
        for node in nodes:
            harm(node)
        yield seconds
        for node in nodes:
            mend(node)
        for node in self._server.nodes:
            node.wait_until_synced()
        self._is_well = True

    def _restart_node(self):
        return self._one(lambda node: node.stop(),
                         lambda node: node.restart(),
                         self._random.uniform(0, faults.AWAY_SECONDS))

    def _kill_node(self):
        return self._one(lambda node: node.kill(),
                         lambda node: node.restart(),
                         self._random.uniform(0, _GONE_SECONDS))

    def _hang_node(self):
        return self._one(lambda node: node.process.pause(),
                         lambda node: node.process.go_on(), _GONE_SECONDS)

    def _cut_node_off(self):
        return self._one(lambda node: node.cut_off(),
                         lambda node: node.reconnect(), _LOST_SECONDS)

    def _lose_quorum(self):
        nodes = self._random.sample(self._server.nodes, 2)
        return self._several(nodes, lambda node: node.cut_off(),
                             lambda node: node.reconnect(), _LOST_SECONDS)

    KINDS = {
        **{name: kind for name, kind in faults.Faults.KINDS.items()
           if name not in _OF_ONE_SERVER},
        'connections cut': _cut_connections,
        'node restarted': _restart_node, 'node killed': _kill_node,
        'node hung': _hang_node, 'node cut off': _cut_node_off,
        'quorum lost': _lose_quorum}
