# SPDX-License-Identifier: Apache-2.0

"""What people wrote on the page of services; all else of it is of runs."""

import collections

Words = collections.namedtuple('Words', ('title', 'short', 'pause', 'more'))

HEADER = """\
===========================================================
Services that drive stacks: Magnum, Tacker, Terraform, Aodh
===========================================================

Other software creates, updates, heals and deletes stacks, and reads their
status. This page tells what each does when one of its stacks is locked, what
its user reads then, and how to pause it first. It was run for that: what the
tables say is made of ``doc/source/consumers.json``, which the runs wrote
(``tools/service_page.py``), and each section names the releases. The sentences
around them are by people; at the end is what was only `read`_.
:doc:`consumers` has each operation beside each lock.

In short: leave ``[heat_extras] status_overlay`` at its default, ``off``. The
lock shows in ``lock_level`` and the other fields of its own. With ``full`` or
``locked``, ``stack_status`` is ``LOCK_COMPLETE`` and its like, as OpenStack's
specification of a stack lock has it, and software that compares it with Heat's
own statuses takes it for an error, or waits on: the table counts what came of
that where a lock came between the end of an operation and the software's next
look.

"""

# By the name of a consumer, or of one that does acts.
ABOUT = {
    'sdk': Words(None, "A refused call raises the lock's message.", 'nothing.',
                 'A failed update raises nothing, with a lock or without one: '
                 'look at the status of the stack that comes back.'),
    'sdk-proxy': Words(
        None, "A refused call raises the lock's message.",
        'nothing where the overlay is ``off``; else, scripts that wait for a '
        'status.', ''),
    'heatclient': Words(None, "A refused call raises the lock's message.",
                        'nothing.', ''),
    'openstackclient': Words(
        None, "A refused command shows the lock's message.", 'nothing.', ''),
    'ansible': Words(
        None, "A refused task fails with the lock's message.", 'nothing.',
        '``state: present`` on a stack that exists is always an update. An '
        'update that fails and is rolled back is told as *changed*, with a '
        'lock or without one: look at ``stack_status`` of what the task '
        'returns, or ask again when the rollback is over. A pass '
        '(:doc:`lock-pass`) takes no word in the playbook: run as the user '
        'that the pass names, the task updates the stack, and the lock holds '
        'again. With ``full``, a play that looks at ``stack_status`` itself '
        'may find ``LOCK_COMPLETE``.'),
    'gophercloud': Words(
        None, "A refusal is an error with the lock's message in it.",
        'what was made with it.',
        'It knows no status of a stack; its user writes the function that '
        'says which is enough.'),
    'terraform': Words(
        None, 'A refused apply or destroy ends with the 409 and its message, '
        'and can be asked for again after the unlock.',
        'no run of a pipeline over that state.',
        'The provider was asked by its protocol to import, plan and apply; '
        'the program ``terraform`` was not run. A refresh writes what it '
        'reads into ``status``; nothing depends on it. Where the overlay is '
        'not ``off``, the apply ends with "unexpected state '
        "'LOCK_COMPLETE'" '" though the stack is fine.'),
    'pkgcloud': Words(
        None, "A refusal is an error with the lock's message in it.",
        'what was made with it.',
        "It puts \"Build in progress\" before the lock's message, its words "
        'for any 409, and ``setWait`` passes over errors: give it a time '
        'limit.'),
    'magnum': Words(
        None, 'A refused resize makes the cluster ``UPDATE_FAILED``, with the '
        "lock's message as its reason. **A refused deletion is told to "
        'nobody**, and by its source Magnum has deleted load balancers by '
        'then.',
        'whoever could delete the cluster. Lock when ``openstack coe cluster '
        'show`` says ``*_COMPLETE``; lock and protect the stacks of all its '
        "node groups; tell those who resize. Kubernetes' own cluster "
        'autoscaler asks Magnum for resizes: scale its deployment to 0.',
        'It was API and conductor, with a driver that has a small template in '
        "place of images; what speaks to Heat is Magnum's own. After a "
        'refused resize the cluster has its old node count again. A deletion '
        "is answered with 204, the refusal goes to the conductor's log as "
        '"operation in progress", and the cluster stays as it was. After the '
        'unlock each can be asked for again. The status of the stack goes '
        "into a field that takes Magnum's own only: with ``full`` or "
        '``locked`` the cluster may stay in progress, with an error in the '
        'log at each look. *Read*, in ``magnum/drivers/heat/driver.py``: '
        "before it asks Heat to delete the cluster's stack, Magnum has "
        'deleted the load balancers of the cluster in Octavia, marked its '
        'node groups, and deleted the stacks of further node groups, each of '
        'which is a stack of its own. A refusal takes none of that back: a '
        'lock or a protection keeps the stack, not the load balancers.'),
    'tacker': Words(
        None, "A refusal fails the operation with the lock's message.",
        'as for its server, below.',
        'This was the client of its server and its polling loop, alone. With '
        '``full`` or ``locked`` an operation that did its work may fail with '
        '"Unknown error". On a bare Heat ``openstack stack check`` does the '
        "same when it comes before Tacker's next look. *Read* in commit "
        'fea54ab7 (May 2026): version 1 '
        '(``tacker/vnfm/infra_drivers/openstack``) waits in the same way.'),
    'tacker-server': Words(
        None, '**A refused operation is FAILED_TEMP, and nothing else can be '
        "asked for of the VNF until that is ended**, by Tacker's own means: "
        '``openstack vnflcm op retry`` or ``rollback`` after the unlock, or '
        '``fail``.',
        'no operation occurrence of the VNF in ``PROCESSING``; stop '
        'auto-healing and auto-scaling by its alarms.',
        'It was server and conductor, with Keystone, Glance and Heat, and a '
        'small VNF of our own. A VNF is instantiated, scaled out, and '
        'terminated; each is an operation on its stack. The sentence of the '
        "lock is in the error's ``detail``, in the JSON of Heat's answer. A "
        'heal that makes the whole stack anew (``all``) is refused before it '
        'deletes anything. With ``full`` or ``locked``, an operation that did '
        'its work may be FAILED_TEMP with "Unknown error".'),
    'aodh': Words(
        'Aodh', 'A signal that is ignored is answered with 200. A refused '
        "healing is in Aodh's log, and nowhere else.",
        '``openstack alarm update --enabled False``, and back to true after '
        'the unlock.',
        'The notifier was told of alarms with the actions ``trust+http`` and '
        '``trust+heat``. An alarm that goes on ringing repeats its signal; '
        'after the unlock the next one works, and what was ignored is not '
        'made up for. One that heals marks members of a group unhealthy and '
        'updates the stack; refused, that is not repeated before the alarm '
        'changes its state again: look at the alarms after a long lock.'),
    'heat-translator': Words(
        'heat-translator', 'A creation that a freeze refuses ends the command '
        "with the freeze's message; a lock is none of its business.",
        'nothing.',
        '``heat-translator --deploy`` was given a template in TOSCA of one '
        'container for objects, in the sandbox, where nothing is needed to '
        'store them. It only creates stacks, and does not wait: success says '
        'that Heat has taken the request. Its user reads a traceback, whose '
        'last line is the one above.'),
    'mistral': Words(
        'Mistral, actions of Heat', 'A refused action is an error of its '
        "task, with the lock's message; without ``retry`` or ``on-error`` the "
        'workflow ends with it.',
        'cron triggers and events that start workflows which change the '
        'stack.',
        'It was API and engine, which ran the actions itself (``[executor] '
        'type = local``), with Keystone and Heat, and workflows with '
        "``heat.stacks_update`` and its like of mistral-extra. A task's "
        '``retry`` tries again on any error, so it takes a lock for one that '
        'may pass: give it a count that outlasts the lock, or run the failed '
        'task again after the unlock. Not run: cron triggers, event triggers '
        'and a remote executor.'),
    'webhooks': Words(
        'Webhooks that are repeated', 'A signal that is ignored is answered '
        'with 200, so nobody repeats it.', None,
        'urllib3 was told to try three times more on 409 and 503; curl had '
        '``--retry 3``, and once more with ``--fail --retry-all-errors``. The '
        'signed URL is that of a scaling policy, on a real Keystone; its rows '
        'were not counted, the rings were: three were ignored. A '
        'refusal has no ``Retry-After``: nobody knows when a lock ends. Who '
        'repeats 409 does so in vain until the lock is gone, and leaves no '
        "rows in Heat's database while it does."),
}

# Titles of what tests keep of an act, and of their columns.
COLUMNS = {'came': 'What came of it', 'read': 'What was read',
           'tries': 'Tries: urllib3, curl, curl with all errors',
           'rows': "Rows in Heat's database, in all"}

TABLES = {'event': 'event', 'heat_extras_counter': 'counter',
          'heat_extras_ignored_signal': 'count of ignored signals'}

SUITES = """\
These are other people's tests of Heat, on a bare Heat and on one with
everything on; and once more on that while another user locks and unlocks their
stacks at random, each for up to a second. ``tox -e theirs`` runs them. Beside
locks, a test that fails must have been told the lock, nothing may be answered
with 500, and in the end each stack can be deleted. (python-heatclient's tests
run commands, and Rally is a program: the answers that these get are not
counted, what they tell of is looked at.) One stack of Tempest's with Nova was
left DELETE_FAILED: it deletes another stack, which was deleted at the same
moment, and to such a pair bare Heat answers 500 at times, too.

"""

OF_SUITES = {
    'heatclient': 'python-heatclient, functional',
    'tempest': 'heat-tempest-plugin, without other services',
    'services': 'heat-tempest-plugin, with Nova, Glance and Neutron',
    'rally': 'Rally, in the sandbox',
    'rally-cloud': 'Rally, with Keystone',
    'dashboard': 'heat-dashboard, beside heat-extras-dashboard',
}
