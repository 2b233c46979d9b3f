// SPDX-License-Identifier: Apache-2.0

// Stacks by pkgcloud: its own requests, and setWait, which asks as often as its
// user says and takes a function that tells when that is enough.
'use strict';

const fs = require('fs');
const pkgcloud = require('pkgcloud');

const PAUSE = 1000;
const [operation, name, path, given] = process.argv.slice(2);
const parameters = JSON.parse(given);
const { auth, region_name: region } = JSON.parse(
  fs.readFileSync(process.env.OS_CLIENT_CONFIG_FILE)
).clouds[process.env.OS_CLOUD];

const client = pkgcloud.orchestration.createClient({
  provider: 'openstack',
  keystoneAuthVersion: 'v3',
  // It adds the version itself.
  authUrl: auth.auth_url.replace(/\/v3$/, ''),
  username: auth.username,
  password: auth.password,
  domainId: auth.user_domain_id,
  tenantName: auth.project_name,
  project_name: auth.project_name,
  projectDomainId: auth.project_domain_id,
  region,
});

function end(error, status) {
  if (error) {
    console.error(error.message, JSON.stringify(error.result || ''));
    process.exit(1);
  }
  console.log(status);
  process.exit(0);
}

function wait(stack, action) {
  stack.setWait(
    (found) => /_FAILED$|^ROLLBACK_COMPLETE$/.test(found.status) ||
      found.status === `${action}_COMPLETE`,
    PAUSE,
    (error, found) => end(
      error || (found.status !== `${action}_COMPLETE` &&
                new Error(`${found.status}: ${found.statusReason}`)),
      found && found.status));
}

if (operation === 'create') {
  client.createStack({
    name, parameters, timeout: 60, template: fs.readFileSync(path, 'utf8'),
  }, (error, stack) => error ? end(error) : wait(stack, 'CREATE'));
} else {
  client.getStack(name, (error, stack) => {
    if (error) {
      end(error);
    } else if (operation === 'delete') {
      client.deleteStack(
        stack, (refusal) => refusal ? end(refusal) : wait(stack, 'DELETE'));
    } else {
      stack.template = fs.readFileSync(path, 'utf8');
      stack.parameters = parameters;
      // Without one, it sends null, which Heat refuses.
      stack.timeout = 60;
      client.updateStack(
        stack, (refusal) => refusal ? end(refusal) : wait(stack, 'UPDATE'));
    }
  });
}
