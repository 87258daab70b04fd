import { noRelay } from '@storefront/mongo';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eraseAgain } from '../src/user-data/commands/erase-again.ts';
import { openRegistrations } from '../src/accounts/store/registrations.ts';
import { openDataRequests } from '../src/user-data/store/data-requests.ts';
import { openEmails } from '../src/store/emails.ts';
import { openUsers } from '../src/store/users.ts';
import { erasedBy, password, startIdentity, type IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.close());

it('erases those again who were erased before, and nobody else', async () => {
  const [ada, grace] = [await identity.member('ada@again.example'), await identity.member('grace@again.example')];
  const parts = { database: identity.connection, relay: noRelay, now: identity.now };
  const users = openUsers(parts);
  const registrations = openRegistrations(parts, { users, emails: openEmails(identity.connection) });
  const { erasures } = openDataRequests(parts, users);
  const run = () => eraseAgain({ users, erasures, registrations, now: identity.now }, (id) => id === ada.user.id);
  expect(await run()).toBe(1);
  expect(await run()).toBe(1);

  const logIn = (email: string) => identity.post('/v1/auth/login', { email, password });
  expect((await logIn(ada.email)).status).toBe(401);
  expect((await logIn(grace.email)).status).toBe(200);
  const requests = () => identity.eventsOf(ada.user.id, 'identity.user-erasure-requested').map(({ data }) => data);
  await eventually(() => requests().length > 0, 'the request to erase the user');
  expect(requests()).toEqual([{ email: ada.email, role: 'retail', registrations: [] }]);
  await identity.publish(...erasedBy(ada.user.id));
  await eventually(() => users.load(ada.user.id).then((user) => user === null), 'the user to be gone');
});
