import { createAdminClient, type AdminClient } from '@storefront/client/admin';
import { ConflictError, createClient, isProblem, type ClientOptions } from '@storefront/client';
import { memorySession } from '@storefront/client/session';
import { follow } from '@storefront/client/stream';
import { operations, type OperationSpec } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFixtures, type Fixtures } from './attacks/matrix/fixtures.ts';
import { rows } from './attacks/matrix/operations.ts';
import { ownerOf, type PathValues, type Row } from './attacks/matrix/row.ts';
import { logInAgain, newEmail, newPassword, type Person } from './attacks/system/people.ts';
import { startSystem, type System } from './attacks/system/system.ts';
import { codeIn, mailTo } from './client.ts';

// The client against the real system: each operation once, by the rows of the attacks, and what a person does with it. The
// other tests of the client have a network that is made up; only this one can find that client and API do not fit.

let system: System;
let fixtures: Fixtures;
const clients = new Map<string, AdminClient>();

beforeAll(async () => {
  system = await startSystem('client');
  fixtures = await makeFixtures(system);
});
afterAll(async () => {
  await system?.close();
});

const specs = Object.values(operations).flatMap((ofService): OperationSpec[] => Object.values(ofService));

/** A client of that person, for as long as the token lives. */
function clientFor(person: Person | undefined): AdminClient {
  const token = person?.token ?? '';
  const known = clients.get(token);
  if (known) return known;
  const session = memorySession(person && { accessToken: token, expiresAt: Infinity });
  const client = createAdminClient({ baseUrl: system.url, session });
  clients.set(token, client);
  return client;
}

type AnyCall = (input: object, options: object) => Promise<unknown>;

/** The call of an operation, wherever the client has it. */
function callOf(client: AdminClient, id: string): AnyCall {
  const { try: _try, ...areas } = client;
  const found = Object.values(areas as Record<string, Record<string, AnyCall>>).flatMap((area) => area[id] ?? []);
  expect(found, id).toHaveLength(1);
  return found[0] as AnyCall;
}

function inputOf({ path, rawBody }: OperationSpec, row: Row, own: PathValues | undefined, body: unknown): object {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = own === undefined ? [] : [own].flat();
  const raw = row.picture
    ? { body: row.picture(), contentType: 'image/png' }
    : { body: JSON.stringify(body ?? {}), contentType: 'application/json' };
  return {
    params: Object.fromEntries(names.map((name, place) => [name, values[place]])),
    query: Object.fromEntries(new URLSearchParams(row.query)),
    ...(rawBody ? raw : body !== undefined && { body }),
  };
}

/** What the client makes of the answer, by what the operation declares. */
function kindsOf({ responses }: OperationSpec): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => {
      if (response === null || !(response instanceof Object)) return 'nothing';
      if ('contentType' in response && !('body' in response)) return 'response';
      return 'body' in response || 'parse' in response ? 'json' : 'response';
    });
}

const kindOf = (result: unknown) =>
  result === undefined ? 'nothing' : result instanceof Response ? 'response' : 'json';

// In the order of the rows: some need that others were called before them, or not yet.
it.each(Object.entries(rows))('calls %s', async (id, row) => {
  const spec = specs.find((one) => one.id === id) as OperationSpec;
  const person = fixtures[ownerOf(row)];
  if (row.fresh) await logInAgain(system, person);
  const own = await row.id?.own(fixtures, person);
  const body = row.body?.(fixtures, person);
  const input = inputOf(spec, row, own, body);
  const controller = new AbortController();
  // By 503 this operation itself says that it has to be asked again: on a busy machine a service may be late.
  const again = '503' in spec.responses ? { retries: 100, timeoutMs: 120_000 } : { retries: 0 };
  const outcome = await callOf(clientFor(person), id)(input, { signal: controller.signal, ...again }).then(
    kindOf,
    (error: unknown) => {
      if (isProblem(error)) return `${error.status} ${error.code}`;
      throw error;
    },
  );
  const ok = typeof row.ok === 'function' ? row.ok(person, fixtures) : row.ok;
  expect(typeof ok === 'number' ? kindsOf(spec) : [ok.join(' ')]).toContain(outcome);
  controller.abort();
  await row.after?.(person, body, fixtures);
  if (row.endsTokens) await logInAgain(system, person);
});

describe('a person', () => {
  const shopOf = (options: Partial<ClientOptions> = {}) => createClient({ baseUrl: system.url, ...options });

  async function registered() {
    const [email, password] = [newEmail('client'), newPassword(system)];
    const shop = shopOf();
    const { registrationId } = await shop.auth.register({ body: { email, password, firstName: 'Ada', lastName: 'L' } });
    const code = codeIn(await mailTo(system.mailbox, email, /code|confirm|verif/i));
    await shop.auth.verifyEmail({ body: { registrationId, code } });
    return { shop, email, password };
  }

  it('registers, stays logged in by refreshing, and logs out', async () => {
    const { email, password } = await registered();
    const session = memorySession();
    const shop = shopOf({ session });
    await shop.auth.logIn({ body: { email, password } });
    const first = await session.read();
    await session.write(first && { ...first, expiresAt: 0 });
    const [me] = await Promise.all([shop.users.getMe(), shop.users.getMe(), shop.wishlist.getWishlist()]);
    expect(me.email).toBe(email);
    expect((await session.read())?.accessToken).not.toBe(first?.accessToken);
    await shop.auth.logOut();
    expect(await shop.try.users.getMe()).toMatchObject({ ok: false, error: { code: 'authentication_required' } });
  });

  it('walks through a list, and is told where somebody else was faster', async () => {
    const { shop } = await registered();
    const place = { contactPhone: '+31201234567', homeAddress: 'Keizersgracht 1', city: 'Amsterdam', country: 'NL' };
    const address = await shop.addresses.addAddress({ body: place });
    await shop.addresses.addAddress({ body: { ...place, city: 'Utrecht' } });
    const cities = await Array.fromAsync(
      shop.addresses.listAddresses.each({ query: { limit: 1 } }),
      ({ city }) => city,
    );
    expect(cities).toEqual(['Utrecht', 'Amsterdam']);
    const params = { addressId: address.id };
    await shop.addresses.changeAddress({ params, body: { city: 'Leiden' } }, { of: address });
    const conflict: unknown = await shop.addresses
      .changeAddress({ params, body: { city: 'Delft' } }, { of: address })
      .catch((error: unknown) => error);
    if (!(conflict instanceof ConflictError)) throw new Error(`no conflict: ${String(conflict)}`);
    expect(conflict.current).toMatchObject({ city: 'Leiden' });
    await shop.addresses.changeAddress({ params, body: { city: 'Delft' } }, { of: conflict.current as object });
    expect((await shop.addresses.getAddress({ params })).city).toBe('Delft');
  });

  it('reads the same answer to the same key', async () => {
    const { shop } = await registered();
    const body = { firstName: 'Mary', lastName: 'Somerville' };
    const made = await shop.customers.addCustomer({ body }, { idempotencyKey: 'once' });
    expect(await shop.customers.addCustomer({ body }, { idempotencyKey: 'once' })).toEqual(made);
    const reused = await shop.try.customers.addCustomer(
      { body: { ...body, firstName: 'M' } },
      { idempotencyKey: 'once' },
    );
    expect(!reused.ok && isProblem(reused.error, 'idempotency_key_reused')).toBe(true);
  });

  it('gets notifications as they come', async () => {
    const { shop } = await registered();
    const { id: userId } = await shop.users.getMe();
    const controller = new AbortController();
    const titles: string[] = [];
    const following = (async () => {
      const events = follow(shop.notifications.streamNotifications, { signal: controller.signal });
      for await (const event of events) if (event.event === 'notification') titles.push(event.data.title);
    })();
    await logInAgain(system, fixtures.admin);
    await clientFor(fixtures.admin).notifications.sendNotification({
      body: { channel: 'IN_APP', userId, title: 'Your tea is here', body: 'Come and fetch it.' },
    });
    await eventually(() => titles.includes('Your tea is here'), 'the notification in the stream');
    controller.abort();
    await following;
    expect(titles).toEqual(['Your tea is here']);
  });
});
