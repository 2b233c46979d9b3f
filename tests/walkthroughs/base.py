# SPDX-License-Identifier: Apache-2.0

"""The test case of walkthroughs and of pages of the documentation."""

import os
import pathlib

import fixtures
import testtools
from testtools import content

from tests.functional import lockable_resources
from tests.harness import command
from tests.harness import forkserver
from tests.harness import ports
from tests.walkthroughs import transcript

# The environment variable of a directory for the transcripts.
TRANSCRIPTS = 'HEAT_EXTRAS_TRANSCRIPTS'


class TestCase(testtools.TestCase):
    """Each walkthrough starts in an empty directory without processes.

    :cvar plugins: a directory of resource plugins.
    """

    plugins = lockable_resources.PLUGINS

    def setUp(self):
        super().setUp()
        self.seen = []
        self.place = self.useFixture(fixtures.TempDir()).path

    def walk(self, text, width=80):
        variables = {
            'HOME': self.place, 'LC_ALL': 'C.UTF-8', 'COLUMNS': str(width),
            'PORT': str(ports.free_port()), 'PYTHONWARNINGS': 'ignore',
            'PLUGINS': self.plugins}
        programs = self.useFixture(forkserver.Programs(variables))
        terminal = transcript.Terminal(self.place, {
            **variables, 'PATH': os.pathsep.join(
                (programs.path, command.BIN, os.environ['PATH']))})
        self.addCleanup(terminal.close)
        self.addDetail('seen', content.Content(
            content.UTF8_TEXT, lambda: [''.join(self.seen).encode()]))
        self.addCleanup(self.keep_transcript)
        terminal.follow(text, self.note)

    def keep_transcript(self):
        """Write the transcript to a file if a directory is set."""
        directory = os.environ.get(TRANSCRIPTS)
        if directory:
            name = self.id().rpartition('.')[2].removeprefix('test_')
            pathlib.Path(directory, f'{name}.txt').write_text(
                ''.join(self.seen))

    def note(self, step, output):
        self.seen.append(f'$ {step.command}\n{output.rstrip()}\n')
