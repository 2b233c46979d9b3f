# SPDX-License-Identifier: Apache-2.0

"""A local HTTP server that responds like Heat's native API."""

import importlib
import json
import threading
from urllib import parse
import uuid

import fixtures
from heatclient.v1 import client
from keystoneauth1 import noauth
from keystoneauth1 import session

# Not "import http.server": once eventlet has been at work, which Heat 24
# brings, that name is bound to its own copy, and it answers nobody here.
http_server = importlib.import_module('http.server')


def fault(code, kind, message):
    """Build a response like heat.api.middleware.fault."""
    return code, {'code': code, 'title': kind,
                  'explanation': 'A general sentence.',
                  'error': {'type': kind, 'traceback': None,
                            'message': message}}


class Stack:
    """A stack of the server whose attributes tests can change."""

    def __init__(self, name):
        self.id = str(uuid.uuid4())
        self.name = name
        self.body = {
            'id': self.id, 'stack_name': name,
            'stack_status': 'CREATE_COMPLETE', 'stack_status_reason': '',
            'creation_time': '2026-11-20T10:00:00Z', 'updated_time': None,
            'lock_level': None, 'lock_status': None,
            'lock_status_reason': None, 'lock_reason': None,
            'locked_by': None, 'lock_id': None, 'lock_expires_at': None,
            'tags': []}
        self.resources = []
        self.events = []
        self.add_event('CREATE_COMPLETE')
        #: Whether stack_status shows the state of the lock.
        self.covers = False
        #: Response to an action, a mark, or a request for guards.
        self.refusal = None
        #: Response to the lookup of the stack.
        self.lookup_refusal = None
        #: Response to a request for the stack.
        self.show_refusal = None
        #: Response to a request for the events of the stack.
        self.events_refusal = None
        #: Remaining steps; each poll of the events runs one step.
        self.to_come = []
        #: Guards in the response of the server.
        self.guards = []
        #: Warnings in the response to a mark.
        self.warnings = None

    def mark(self, name, body):
        if self.refusal:
            return self.refusal
        for each in self.resources:
            if each['resource_name'] == name:
                each['resource_status'] = (
                    'CHECK_FAILED' if body['mark_unhealthy']
                    else 'CHECK_COMPLETE')
                return 200, self.warnings and {'mark_unhealthy': {
                    'resource_name': name, 'warnings': self.warnings}}
        return fault(404, 'ResourceNotFound', f'No resource {name}.')

    def add_event(self, status, name=None, reason='a reason'):
        self.events.append({
            'id': f'event-{len(self.events)}',
            'event_time': '2026-11-20T10:02:11Z',
            'resource_name': name or self.name,
            'physical_resource_id': 'physical' if name else self.id,
            'resource_status': status, 'resource_status_reason': reason,
            'links': []})

    def reach(self, status, reason='a reason'):
        self.body.update(self._told(status, reason))
        self.add_event(status, reason=reason)

    def _told(self, status, reason):
        shown = ({'stack_status': status, 'stack_status_reason': reason}
                 if self.covers else {})
        if status == 'UNLOCK_COMPLETE':
            status = reason = None
        return {**shown, 'lock_status': status, 'lock_status_reason': reason}

    def lock(self, options):
        self.body.update(lock_level=options.get('level', 'all'),
                         lock_reason=options.get('reason'),
                         locked_by='alice', lock_id=f'lock-of-{self.name}',
                         lock_expires_at=options.get('expires_at'))
        self.reach('LOCK_IN_PROGRESS')
        if not self.to_come:
            self.reach('LOCK_COMPLETE')
        return {'lock': {'id': self.body['lock_id']}}

    def unlock(self, options):
        self.body.update(lock_level=None, lock_reason=None, locked_by=None,
                         lock_id=None, lock_expires_at=None)
        self.reach('UNLOCK_COMPLETE')

    def extend_lock(self, options):
        self.body.update(lock_expires_at=options['expires_at'])

    def lock_pass(self, options):
        self.body.update(lock_pass=options and {
            'user': options['user'], 'expires_at': options['expires_at'],
            'reason': options.get('reason'), 'used_at': None})

    def protect(self, options):
        self.body.update(delete_protected=True,
                         delete_protection_reason=(options or {}).get(
                             'reason'), delete_protected_by='alice')

    def unprotect(self, options):
        self.body.update(delete_protected=False,
                         delete_protection_reason=None,
                         delete_protected_by=None)

    def entry(self):
        """Return the entry of the stack in the list of locks."""
        shown = self.body
        return {'id': shown['lock_id'], 'stack_id': self.id,
                'stack_name': self.name, 'project': 'demo',
                'level': shown['lock_level'],
                'status': shown['lock_status'],
                'reason': shown['lock_reason'],
                'locked_by': shown['locked_by'],
                'locked_at': '2026-11-20T10:02:11Z',
                'expires_at': shown['lock_expires_at'],
                'pass': shown.get('lock_pass')}

    def act(self, body):
        if self.refusal:
            return self.refusal
        (action, options), = body.items()
        return 200, getattr(self, action)(options)


class Handler(http_server.BaseHTTPRequestHandler):

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        url = parse.urlsplit(self.path)
        self._record(None)
        _, project, kind, *rest = url.path.strip('/').split('/')
        if kind == 'locks':
            self._answer(*self._locks(dict(parse.parse_qsl(url.query))))
            return
        if kind == 'freezes':
            self._answer(*self.server.freezes)
            return
        if not rest:
            self._answer(*self._list(dict(parse.parse_qsl(url.query))))
            return
        stack = self._find(parse.unquote(rest[0]))
        if stack is None:
            name = parse.unquote(rest[0])
            self._answer(*fault(404, 'EntityNotFound',
                                f'The Stack ({name}) could not be found.'))
        elif len(rest) == 1:
            self._answer(*stack.lookup_refusal or (
                302, {}, f'{self.server.address}/v1/{project}'
                         f'/stacks/{stack.name}/{stack.id}'))
        elif rest[2:] == ['guards']:
            self._answer(*(stack.refusal
                           or (200, {'guards': stack.guards})))
        else:
            query = dict(parse.parse_qsl(url.query))
            read = getattr(self, '_' + ''.join(rest[2:] or ['stack']))
            self._answer(*read(stack, query))

    def do_POST(self):
        length = int(self.headers['Content-Length'])
        body = json.loads(self.rfile.read(length))
        self._record(body)
        stack = self._find(self.path.split('/')[-3])
        self._answer(*stack.act(body))

    def do_PATCH(self):
        length = int(self.headers['Content-Length'])
        body = json.loads(self.rfile.read(length))
        self._record(body)
        url = parse.urlsplit(self.path)
        stack = self._find(url.path.split('/')[-3])
        name = parse.unquote(url.path.split('/')[-1])
        self._answer(*stack.mark(name, body))

    def _record(self, body):
        self.server.requests.append(
            (self.command, self.path, body, self.headers))

    def _find(self, key):
        for stack in self.server.stacks:
            if key in (stack.name, stack.id):
                return stack
        return None

    def _list(self, query):
        wanted = set(filter(None, query.get('tags', '').split(',')))
        return self.server.list_refusal or (200, {'stacks': [
            each.body for each in self.server.stacks
            if wanted <= set(each.body['tags'])]})

    def _locks(self, query):
        if self.server.list_refusal:
            return self.server.list_refusal
        begin = query.get('marker', '')
        entries = [each.entry() for each in self.server.stacks
                   if each.body['lock_id'] and each.body['lock_id'] > begin
                   and query.get('level') in (None, each.body['lock_level'])]
        size = int(query.get('limit', self.server.page_size))
        links = [{'rel': 'next', 'href': 'http://inside/v1/demo/locks?'
                  + parse.urlencode({**query, 'marker': entries[
                      size - 1]['id']})}] if entries[size:] else []
        return 200, {'locks': entries[:size], 'links': links}

    def _stack(self, stack, query):
        return stack.show_refusal or (200, {'stack': stack.body})

    def _resources(self, stack, query):
        if isinstance(stack.resources, tuple):
            return stack.resources
        return 200, {'resources': stack.resources}

    def _events(self, stack, query):
        if query['sort_dir'] == 'desc':
            return 200, {'events': stack.events[:-2:-1]}
        if stack.to_come:
            stack.to_come.pop(0)(stack)
        if stack.events_refusal:
            return stack.events_refusal
        ids = [each['id'] for each in stack.events]
        begin = ids.index(query['marker']) + 1 if 'marker' in query else 0
        return 200, {'events': stack.events[begin:]}

    def _answer(self, code, body, location=None):
        is_page = isinstance(body, str)
        content = (body if is_page else json.dumps(body)).encode()
        self.send_response(code)
        self.send_header('Content-Type',
                         'text/html' if is_page else 'application/json')
        self.send_header('Content-Length', str(len(content)))
        if location:
            self.send_header('Location', location)
        self.end_headers()
        self.wfile.write(content)


class HeatServer(fixtures.Fixture):
    """Run the server on a free loopback port."""

    def _setUp(self):
        server = http_server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.daemon_threads = True
        server.stacks = self.stacks = []
        server.requests = self.requests = []
        server.list_refusal, server.page_size = None, 1000
        self.server = server
        server.address = f'http://127.0.0.1:{server.server_port}'
        self.url = server.address + '/v1/demo'
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)

    def refuse_list(self, answer):
        """Set the response to requests that list stacks."""
        self.server.list_refusal = answer

    def add(self, name, *tags, **body):
        stack = Stack(name)
        stack.body.update(body, tags=list(tags))
        self.stacks.append(stack)
        return stack

    def posts(self):
        """List the POST requests."""
        return [(path, body) for method, path, body, _ in self.requests
                if method == 'POST']

    def session_client(self):
        """Build a client like ``openstack --os-auth-type none``."""
        return client.Client(
            session=session.Session(noauth.NoAuth(endpoint=self.url)),
            service_type='orchestration')

    def token_client(self):
        """Build a client like ``heat --os-no-client-auth``."""
        return client.Client(endpoint=self.url, token='alice:member')
