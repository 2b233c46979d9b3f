# SPDX-License-Identifier: Apache-2.0

"""An invalid value of every option, and its message.

Each row is the option, its value in heat.conf, and the message. ``{dir}`` is
replaced by a directory with the files that :func:`write_files` writes.
"""

import pathlib
import typing

import fixtures
from oslo_config import cfg
import testtools

from heat_extras import conf as heat_extras_conf
from heat_extras.lifecycle import registry
from tests.harness import policy_service

ABSENT = '/no/such/file'

# The plugin reads the options of its service only if the URL is set.
_WEBHOOK = ('webhook_url = https://policy.example.org/',)

_ADDRESS = ('a URL that starts with https:// or http:// and has a host, and '
            'optionally a port from 1 to 65535')
_NOT_INSTALLED = ('is not valid: expected names of installed plugins. '
                  'Installed: heat_extras_limits, heat_extras_webhook')

_ACTIONS = ('CREATE, ADOPT, UPDATE, ROLLBACK, RESTORE, DELETE, SUSPEND, '
            'RESUME, CHECK, SNAPSHOT, LOCK, UNLOCK')

FREEZES = """\
freezes:
- name: year-end
  begin: 2026-12-24T18:00:00
  end: soon
"""

RULES = """\
rules:
- name: few
  limit: {types: [X], max: many, per: tree}
- name: az
  property: {types: [X], name: zone, pattern: "["}
"""


class Row(typing.NamedTuple):
    """An invalid configuration.

    :param more: further lines of the section.
    :param engine_only: whether an API neither reads nor needs the option.
    :param features: the enabled features.
    """

    option: str
    value: str
    said: str
    more: tuple = ()
    engine_only: bool = False
    features: str = 'all'

    def lines(self, directory):
        """Return the lines of the section ``[heat_extras]``."""
        lines = [f'{self.option} = {self.value}', *self.more]
        if self.option != 'features':
            lines.append(f'features = {self.features}')
        return [line.replace('{dir}', str(directory)) for line in lines]

    def message(self, directory):
        """Return what is said."""
        return f'[heat_extras] {self.option}: {self.said}'.replace(
            '{dir}', str(directory))


def _file(option, value, message, more=_WEBHOOK):
    return Row(option, value, message, more, engine_only=True)


_FEATURES = ', '.join(sorted(heat_extras_conf.FEATURES))

ROWS = [
    Row('features', 'locks, healthy, stack_lock', "'healthy', 'locks' is not "
        f'valid: expected "all" or any of {_FEATURES}'),
    Row('features', 'health,,lock', "'', 'lock' is not valid: expected "
        f'"all" or any of {_FEATURES}'),
    Row('parameter_lift', 'twostep',
        'Valid values are [same_update, two_step], but found '
        "'twostep'"),
    Row('status_overlay', 'none',
        "Valid values are [full, off], but found 'none'"),
    Row('status_overlay', 'locked',
        "Valid values are [full, off], but found 'locked'"),
    Row('status_overlay', '',
        "Valid values are [full, off], but found ''"),
    Row('lock_concurrency', '0',
        'Should be greater than or equal to 1'),
    Row('lock_concurrency', 'many',
        "invalid literal for int() with base 10: 'many'"),
    Row('lock_concurrency', '',
        'a value is missing'),
    Row('lock_resource_timeout', '1m',
        "invalid literal for int() with base 10: '1m'"),
    Row('lock_resource_timeout', '99999999999',
        'Should be less than or equal to 86400'),
    Row('remote_heat_without_locks', 'ignore',
        "Valid values are [report, fail], but found 'ignore'"),
    Row('delete_protection_tag', 'k' * 81,
        f"Value '{'k' * 81}' exceeds maximum length 80"),
    Row('delete_protection_tag', 'keep,safe',
        "Value 'keep,safe' doesn't match regex '^[^,]*$'"),
    Row('resource_protection_tag', 'k' * 81,
        f"Value '{'k' * 81}' exceeds maximum length 80"),
    Row('resource_protection_tag', 'keep,safe',
        "Value 'keep,safe' doesn't match regex '^[^,]*$'"),
    *(Row('resource_protection_tag', 'keep',
          f"'keep' is also the value of {other}. Set different tags",
          (f'{other} = keep',))
      for other in ('delete_protection_tag', 'plan_required_tag')),
    *(Row('resource_protection_tag', 'keep',
          f'requires the feature "{feature}". Add "{feature}" to '
          '[heat_extras] features, or unset resource_protection_tag',
          features=enabled)
      for feature, enabled in (('update_policy', 'stack_lock'),
                               ('stack_lock', 'update_policy'))),
    Row('plan_required_tag', 'reviewed',
        'requires the feature "plan". Add "plan" to [heat_extras] features, '
        'or unset plan_required_tag', features='update_policy'),
    Row('lock_max_days', '-1',
        'Should be greater than or equal to 0'),
    Row('allow_unguarded_engines', 'perhaps',
        "Unexpected boolean value 'perhaps'"),
    Row('max_unhealthy_percent', '101',
        'Should be less than or equal to 100'),
    Row('max_unhealthy_percent', '50%',
        "invalid literal for int() with base 10: '50%'"),
    Row('lifecycle_on_load_failure', 'ignore',
        "Valid values are [stop, warn], but found 'ignore'"),
    Row('lifecycle_timeout', '-1',
        'Should be greater than or equal to 0'),
    Row('lifecycle_timeouts', 'heat_extras_webhook:1m',
        "invalid literal for int() with base 10: '1m'"),
    Row('lifecycle_timeouts', 'heat_extras_webhook:',
        'a value is missing'),
    Row('lifecycle_timeouts', 'audit:5', f'audit {_NOT_INSTALLED}',
        engine_only=True),
    Row('lifecycle_modes', 'heat_extras_limits:wran, heat_extras_webhook:no',
        "Valid values are [fail, warn], but found 'wran, "
        "heat_extras_webhook:no'"),
    Row('lifecycle_modes', 'audit:warn, log:warn',
        f'audit, log {_NOT_INSTALLED.replace("is", "are", 1)}',
        engine_only=True),
    Row('lifecycle_errors', 'heat_extras_webhook',
        'Value should be NAME:VALUE pairs separated by ","'),
    Row('lifecycle_errors', 'audit:deny', f'audit {_NOT_INSTALLED}',
        engine_only=True),
    Row('lifecycle_actions', 'heat_extras_limits:UPDATE|DANCE',
        "'UPDATE|DANCE' is not valid: expected one or more of "
        f'{_ACTIONS}, separated by |'),
    Row('lifecycle_actions', 'audit:UPDATE', f'audit {_NOT_INSTALLED}',
        engine_only=True),
    Row('freezes_file', ABSENT, f'{ABSENT}: cannot be read: No such file or '
        'directory', engine_only=True),
    Row('freezes_file', '{dir}/freezes.yaml', '{dir}/freezes.yaml, freeze '
        "year-end: end: 'soon' is not valid: expected a date and a time of "
        'day from 1970 to 2199, like 2026-12-24T18:00:00', engine_only=True),
    Row('freezes_file', '/etc/heat/freezes.yaml', 'requires the feature '
                                                  '"freeze". Add "freeze" to '
                                                  '[heat_extras] features, or '
                                                  'unset freezes_file',
        features='stack_lock, health'),
    Row('limits_file', ABSENT, f'{ABSENT}: cannot be read: No such file or '
        'directory', engine_only=True),
    Row('limits_file', '{dir}/rules.yaml', "{dir}/rules.yaml, rule few: "
        "limit.max: 'many' is not valid: expected a whole number",
        engine_only=True),
    Row('limits_file', '{dir}/rules.yaml', '{dir}/rules.yaml, rule az: '
        "property.pattern: '[' is not valid: expected a pattern of RE2 "
        '(missing ]: [)',
        engine_only=True),
    Row('limits_file', '/etc/heat/limits.yaml', 'requires the feature '
                                                '"lifecycle". Add "lifecycle" '
                                                'to [heat_extras] features, '
                                                'or unset limits_file',
        features='stack_lock, health'),
    Row('webhook_url', 'ftp://eve:secret@policy.example.org/',
        "'ftp://***@policy.example.org/' is not valid: expected "
        f'{_ADDRESS}'),
    Row('webhook_url', 'https://',
        f"'https://' is not valid: expected {_ADDRESS}"),
    Row('webhook_url', 'https://policy..example.org/',
        "'https://policy..example.org/' is not valid: expected "
        f'{_ADDRESS}'),
    Row('webhook_calls', 'before, after',
        "Valid values are [pre, post], but found 'before, after'"),
    Row('webhook_calls', '',
        'a value is missing'),
    Row('webhook_actions', 'CREATE, DANCE',
        f"Valid values are [{_ACTIONS}], but found 'DANCE'"),
    Row('webhook_actions', '',
        'a value is missing'),
    Row('webhook_timeout', 'nan',
        'nan is not valid: expected a finite number'),
    Row('webhook_timeout', '0',
        'Should be greater than or equal to 0.1'),
    Row('webhook_attempts', '0',
        'Should be greater than or equal to 1'),
    _file('webhook_ca_file', ABSENT, f'{ABSENT} (No such file or directory) '
          'is not valid: expected a readable file with certificates in PEM '
          'format'),
    _file('webhook_cert_file', ABSENT, f'{ABSENT} (No such file or directory) '
          'is not valid: expected a readable file in PEM format',
          (*_WEBHOOK, 'webhook_key_file = {dir}/key.pem')),
    _file('webhook_cert_file', '', 'empty (No such file or directory) is not '
          'valid: expected a readable file in PEM format',
          (*_WEBHOOK, 'webhook_key_file = {dir}/key.pem')),
    _file('webhook_key_file', '{dir}', '{dir} (Is a directory) is not valid: '
          'expected a readable file in PEM format',
          (*_WEBHOOK, 'webhook_cert_file = {dir}/key.pem')),
    Row('webhook_secret', 's3$cret', 'the value has a $ before the name of an '
                                     'option that does not exist. To use the '
                                     'character $ itself, write $$'),
]

# Options that accept every value: none so far.
WITHOUT = ()


def write_files(directory):
    """Write the files that rows refer to."""
    directory = pathlib.Path(directory)
    (directory / 'rules.yaml').write_text(RULES)
    (directory / 'freezes.yaml').write_text(FREEZES)
    policy_service.write_certificate(str(directory / 'key.pem'), '127.0.0.1')


def at_once():
    """Return one row for each value that is not valid by itself."""
    rows = {}
    for row in ROWS:
        if (row.features == 'all' and row.value and not row.engine_only
                and row.option != 'features'):
            rows.setdefault(row.option, row)
    return list(rows.values())


class TestCase(testtools.TestCase):
    """Base of tests with a directory of files and a heat.conf in it."""

    def setUp(self):
        super().setUp()
        self.directory = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path)
        write_files(self.directory)
        self.addCleanup(cfg.CONF.reset)
        self.addCleanup(registry.discard_prepared)

    def read(self, lines, section='heat_extras', more=''):
        """Load these lines as the configuration of Heat."""
        path = self.directory / 'heat.conf'
        path.write_text('\n'.join([f'[{section}]', *lines, more]))
        # Plugins read their options from cfg.CONF.
        cfg.CONF([], project='heat', default_config_files=[str(path)],
                 default_config_dirs=[])
        heat_extras_conf.register_opts(cfg.CONF)
        return cfg.CONF
