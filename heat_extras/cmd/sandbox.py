# SPDX-License-Identifier: Apache-2.0

"""heat-extras-sandbox: a complete Heat in one process, for tests and demos.

It listens only on 127.0.0.1 and does not authenticate: a token has a user and
roles, as in "X-Auth-Token: alice:member". With ":is_admin_project=False" at
its end, it is a token of a cloud whose admin project is another project.
"""

import argparse
import gc
import os
import sys

# Other modules are imported in the functions, because Heat 24 needs the
# standard library patched before its use, see heat_extras.sandbox.interpreter.
from heat_extras.output import help_text
from heat_extras.sandbox import demo_steps


def main(argv=None):
    """Run the command line and return the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    if not argv:
        # Report a missing package before a missing argument.
        from heat_extras.sandbox import interpreter
        interpreter.is_on_eventlet()
    args = _parser().parse_args(argv)
    try:
        return args.run(args)
    except BrokenPipeError:
        # For example "heat-extras-sandbox demo | head". Discard the output
        # that is left, because the reader has ended.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print('heat-extras-sandbox: %s' % error, file=sys.stderr)
        return 1


class _Version(argparse.Action):
    """Find the version only if the option is used."""

    def __call__(self, parser, *_rest):
        from heat_extras import version
        print(version.installed())
        parser.exit()


def _serve(args):
    """Run a Heat until SIGTERM or Ctrl-C.

    It prints "ready: URL" when it accepts requests.

    Examples:

      Run a Heat that keeps its stacks:
        heat-extras-sandbox serve --state-dir ~/heat

      Run a Heat without heat-extras, for a comparison:
        heat-extras-sandbox serve --port 8005 --features ''
    """
    from heat_extras.sandbox import interpreter
    # If a package is missing, this prints only one line.
    interpreter.is_on_eventlet()
    # Disabled until the sandbox is ready: imported modules are not garbage,
    # and the collections would take a fifth of the start.
    gc.disable()
    print('heat-extras-sandbox: Starting Heat ...', file=sys.stderr)
    interpreter.prepare()
    from heat_extras.sandbox import command
    return command.serve(
        port=args.port, state_dir=args.state_dir,
        config_files=args.config_file, features=args.features,
        hurry=args.hurry)


def _demo(args):
    """Start a Heat on a free port and show the features of heat-extras.

    Each step runs the openstack client. The exit status is 0 if every step
    had the expected result.

    Examples:

      Show all features:
        heat-extras-sandbox demo

      Show two features, one step at a time:
        heat-extras-sandbox demo --only lock,health --pause
    """
    from heat_extras.sandbox import interpreter
    # The Heat of the demo is another process. Report a missing package in
    # this process.
    interpreter.is_on_eventlet()
    from heat_extras.sandbox import demo
    return demo.run_demo(args.only, args.pause)


def _parser():
    parser = argparse.ArgumentParser(
        prog='heat-extras-sandbox', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--version', action=_Version, nargs=0,
                        help='print the version of heat-extras')
    commands = parser.add_subparsers(required=True, metavar='COMMAND')
    _add_serve(commands)
    _add_demo(commands)
    return parser


def _add_serve(commands):
    parser = commands.add_parser(
        'serve', help='run a Heat until SIGTERM or Ctrl-C')
    help_text.use_docstring(parser, _serve.__doc__)
    parser.add_argument('--port', type=_port, default=8004,
                        help='port of the API on 127.0.0.1, or 0 for any free '
                             'port (default: 8004)')
    parser.add_argument('--state-dir', metavar='DIR',
                        help='directory in which to keep the stacks (default: '
                             'a temporary directory that is removed at the '
                             'end)')
    parser.add_argument('--config-file', metavar='FILE', action='append',
                        default=[], type=_existing_file,
                        help='file with options that override the heat.conf '
                             'of the sandbox (repeat the option for several '
                             'files)')
    parser.add_argument('--features', metavar='LIST', default='all',
                        help='features of heat-extras to enable, separated by '
                             'commas, or an empty text for a Heat without '
                             'heat-extras (default: all)')
    parser.add_argument('--hurry', metavar='N', default=1, type=_divisor,
                        help="divide Heat's own pauses by this number, for "
                             'example the pause of one second after a '
                             'resource is created (default: 1)')
    parser.set_defaults(run=_serve)


def _add_demo(commands):
    demo = commands.add_parser('demo', help='show the features of heat-extras')
    help_text.use_docstring(demo, _demo.__doc__)
    demo.add_argument('--only', metavar='CHAPTER,...', type=_chapters,
                      default=demo_steps.NAMES,
                      help='chapters to run, separated by commas: %s '
                           '(default: all)'
                           % ', '.join(demo_steps.NAMES))
    demo.add_argument('--pause', action='store_true',
                      help='wait for Enter after each step')
    demo.set_defaults(run=_demo)


def _chapters(text):
    names = [name.strip() for name in text.split(',')]
    unknown = [name for name in names if name not in demo_steps.NAMES]
    if unknown:
        raise argparse.ArgumentTypeError(
            '%s is not valid: expected any of %s' % (
                ', '.join(map(repr, unknown)), ', '.join(demo_steps.NAMES)))
    return names


def _divisor(text):
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(
            '%r is not valid: expected a whole number, at least 1' % text)
    return int(text)


def _port(text):
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(
            '%r is not valid: expected a number from 0 to 65535' % text)
    return int(text)


def _existing_file(text):
    if not os.path.isfile(text):
        raise argparse.ArgumentTypeError('file %s does not exist' % text)
    return os.path.abspath(text)


if __name__ == '__main__':
    sys.exit(main())
