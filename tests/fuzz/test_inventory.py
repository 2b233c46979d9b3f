# SPDX-License-Identifier: Apache-2.0

"""An inventory of racks is refused in a sentence, or can be planned with."""

import os
import types

import fixtures
import hypothesis
from hypothesis import strategies as st
import testtools

from heat_extras import errors
from heat_extras.plugins.placement import inventory
from heat_extras.plugins.placement import planner
from tests.fuzz import budget
from tests.fuzz import documents

_KINDS = ('OS::Nova::Server', 'web')

INVENTORY = st.fixed_dictionaries({'racks': st.lists(documents.entry(
    {'name': documents.nearly(st.text('abc', min_size=1, max_size=3),
                              documents.TEXTS, 10),
     'capacity': st.dictionaries(
         documents.nearly(st.sampled_from(_KINDS), documents.TEXTS),
         documents.nearly(st.integers(0, 3), documents.NUMBERS),
         max_size=2)}, {}), max_size=3)})

GROUPS = st.lists(st.builds(
    planner.Group, st.sampled_from('gh'), st.sampled_from(planner.POLICIES),
    st.lists(st.tuples(st.text('mn', min_size=1, max_size=9),
                       st.sampled_from(_KINDS)),
             min_size=1, max_size=3, unique_by=lambda member: member[0])
    .map(tuple),
    st.lists(st.sampled_from('abc'), max_size=2).map(tuple)), max_size=2)


class InventoryTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.useFixture(fixtures.TempDir()).path,
                                 'inventory.yaml')
        self.conf = types.SimpleNamespace(heat_extras=types.SimpleNamespace(
            placement_inventory=self.path))

    @budget.cases(12)
    @hypothesis.given(documents.contents(INVENTORY), GROUPS)
    def test_a_file_is_refused_in_a_sentence_or_does(self, content, groups):
        self.check(content, groups)

    def check(self, content, groups):
        """Fail if a file is taken that fails later."""
        with open(self.path, 'wb') as target:
            target.write(content)
        try:
            read = inventory.from_conf(self.conf)
        except errors.ActivationError as error:
            for sentence in error.args:
                self.assertTrue(sentence.startswith(
                    '[heat_extras] placement_inventory: '), sentence)
                self.assertTrue(sentence.encode())
            return
        racks = read()
        for rack in racks:
            # As it is written into the database.
            self.assertTrue(rack.isprintable(), rack)
        try:
            planned = planner.plan(groups, racks)
        except planner.Impossible as error:
            self.assertTrue(str(error).encode())
            return
        self.assertLessEqual(set(planned.values()), set(racks))
