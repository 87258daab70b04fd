import { operations as specs, scopes, takesIfMatch, type OperationSpec } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, readOperations, rows, type Operation } from './matrix/operations.ts';
import { eachReplaced, isOfItsStaff, malformedIds, ownerOf, type PathValues, type Row } from './matrix/row.ts';
import { leavers, makeFixtures, type Fixtures } from './matrix/fixtures.ts';
import type { Seen } from './system/leaks.ts';
import { hireStaff, logInAgain, otherStaff, type Person } from './system/people.ts';
import { startSystem, type System } from './system/system.ts';

const callers = ['anonymous', 'owner', 'stranger', 'trade', 'otherTrade', 'suspended', 'applicant', 'admin'] as const;
type CallerName = (typeof callers)[number] | (typeof otherStaff)[number];
type Expected = readonly [status: number, code?: string];

let system: System;
let fixtures: Fixtures;
let people: Fixtures & Awaited<ReturnType<typeof hireStaff>>;
let operations: Map<string, Operation>;
/** For each operation with identifiers, those of something that belongs to its owner. */
const victims = new Map<string, PathValues>();

beforeAll(async () => {
  system = await startSystem('matrix');
  fixtures = await makeFixtures(system);
  people = { ...fixtures, ...(await hireStaff(system)) };
  operations = new Map((await readOperations(system)).map((operation) => [operation.spec.id, operation]));
});
afterAll(async () => {
  await system?.close();
});

/** What names the owner of such things, and what is the owner's alone. */
function ownersMarks(row: Row): string[] {
  const owner = ownerOf(row);
  const isTheirs = (other: Row | undefined) => other && other.access !== 'public' && ownerOf(other) === owner;
  const owned = [...victims].filter(([name]) => isTheirs(rows[name])).flatMap(([, victim]) => victim);
  return [fixtures[owner].id, fixtures[owner].email, ...owned];
}

/** Two trade accounts differ in nothing but what is theirs: the other one calls where the first one has something. */
const callersOf = (row: Row) => callers.filter((caller) => caller !== 'otherTrade' || ownerOf(row) === 'trade');

/** A third of the forms, of three operations in a row all of them. */
function formsFor(name: string): readonly string[] {
  const at = Object.keys(rows).indexOf(name);
  return malformedIds.filter((_, index) => index % 3 === at % 3);
}

/** Who calls; nobody with the dead token of a suspended account, which public operations ignore. */
const personOf = (caller: CallerName): Person | undefined =>
  caller === 'anonymous' || caller === 'suspended' ? undefined : people[caller];

const tokenOf = (caller: CallerName): string | undefined => (caller === 'anonymous' ? undefined : people[caller].token);

/** The refusal that comes before anything is looked at; nothing where the caller may call. */
function refusal(row: Row, caller: CallerName): Expected | undefined {
  const { access, alsoFor = [], notForConsumers } = row;
  if (access === 'open' || access === 'public') return undefined;
  if (caller === 'suspended') return [401, 'invalid_token'];
  if (caller === 'applicant') return alsoFor.includes(caller) ? undefined : [403, 'session_limited'];
  if (caller === 'anonymous') return [401, 'authentication_required'];
  if (isOfItsStaff(row, caller)) return undefined;
  if (access === 'admin' || access === 'staff') return [403, 'role_required'];
  const isTrade = caller === 'trade' || caller === 'otherTrade';
  if ((access === 'trade' || notForConsumers) && !isTrade) return [403, 'trade_account_required'];
  return undefined;
}

async function call(name: string, caller: CallerName, idValue?: PathValues): Promise<{ answer: Seen; sent: unknown }> {
  const row = rows[name] as Row;
  const { method, path, stream } = (operations.get(name) as Operation).spec;
  const person = personOf(caller);
  const sent = row.body?.(fixtures, person ?? fixtures.owner);
  const answer = await system.call(method, fill(path, idValue, row.query), {
    token: tokenOf(caller),
    body: sent,
    ...(row.picture && { raw: row.picture(), headers: { 'content-type': 'image/png' } }),
    stream: stream === true,
  });
  return { answer, sent };
}

async function expectRefusal(
  name: string,
  caller: CallerName,
  refused: Expected,
  idValues: readonly (PathValues | undefined)[],
): Promise<void> {
  for (const idValue of idValues) {
    const { answer } = await call(name, caller, idValue);
    expect(outcomeOf(answer), `${caller} on ${String(idValue)}`).toEqual(refused);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  }
}

/**
 * What the caller may not call is refused on what is somebody's. That it makes no difference what the path names is asked by
 * the first caller with each refusal, and of the first who may call: who calls is judged before that, by a table.
 */
async function expectRefusals(name: string, caller: CallerName): Promise<void> {
  const row = rows[name] as Row;
  const { id } = row;
  const victim = victims.get(name) ?? '';
  const refused = refusal(row, caller);
  const isFirst = callers.find((each) => refusal(row, each)?.[1] === refused?.[1]) === caller;
  const randoms = id && isFirst ? eachReplaced(victim, id.random()) : [];
  if (refused) {
    // Consumers are refused by the service, after it has looked at the form of an identifier.
    const formless = isFirst && !row.notForConsumers ? eachReplaced(victim, malformedIds[0] ?? '') : [];
    return expectRefusal(name, caller, refused, id ? [victim, ...randoms, ...formless] : [undefined]);
  }
  if (!id) return;
  for (const random of randoms) {
    const { answer } = await call(name, caller, random);
    expect(outcomeOf(answer), `${caller} on ${String(random)}`).toEqual([404, id.missing]);
  }
  for (const one of isFirst ? formsFor(name).flatMap((form) => eachReplaced(victim, form)) : []) {
    const { answer } = await call(name, caller, one);
    expect(answer.status, `${caller} on ${String(one)}: ${answer.text}`).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  }
  const absent = (await call(name, caller, id.random())).answer;
  expect(outcomeOf(absent), `${caller} on nobody's`).toEqual([404, id.missing]);
  if (!isForeign(row, caller)) return;
  const foreign = (await call(name, caller, victim)).answer;
  expect(words(foreign), `${caller} on the owner's`).toEqual(words(absent));
}

/**
 * Other staff than administrators differ from each other by a table alone. So each of them calls once what is not public:
 * where they may, on what is nobody's, where they may not, on what is somebody's.
 */
async function expectRoleKept(name: string, role: (typeof otherStaff)[number]): Promise<void> {
  const row = rows[name] as Row;
  const { id, access } = row;
  if (access === 'open' || access === 'public') return;
  const refused = refusal(row, role);
  const wanted = refused ?? (id && [404, id.missing]);
  if (!wanted) return;
  const { answer } = await call(name, role, refused ? victims.get(name) : id?.random());
  expect(outcomeOf(answer), role).toEqual(wanted);
  const mayCall = wanted[1] === 'role_required' ? ['admin', ...(row.roles ?? [])] : undefined;
  expect(answer.body.roles, role).toEqual(mayCall);
}

/** Whether what is the owner's must look absent to the caller. */
function isForeign(row: Row, caller: CallerName): boolean {
  const belongsToUsers = row.access === 'user' || row.access === 'trade' || row.ownersAlone === true;
  return belongsToUsers && caller !== ownerOf(row) && !isOfItsStaff(row, caller);
}

/**
 * Other staff than administrators who call in earnest: all whom the row names for a list, one of them for what is made for
 * each call, and any one, in turns, for what every user may.
 */
function staffFor(name: string, { access, roles, id, body }: Row): readonly CallerName[] {
  if (roles) return id || body ? roles.slice(0, 1) : roles;
  return access === 'user' ? otherStaff.slice(Object.keys(rows).indexOf(name) % otherStaff.length).slice(0, 1) : [];
}

const outcomeOf = ({ status, body }: Seen): Expected => [status, body?.code];

/** What an answer says, but for the words that name the very request. */
function words({ status, headers, body }: Seen): unknown {
  const { instance: _instance, requestId: _requestId, ...rest } = body ?? {};
  const named = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, headers: named, body: rest };
}

it('has a row for every operation of the API', () => {
  expect([...operations.keys()].toSorted()).toEqual(Object.keys(rows).toSorted());
});

it('gives a pending trade account no token at all', async () => {
  const { email, password } = fixtures.pending;
  const answer = await system.call('POST', '/v1/auth/login', { body: { email, password } });
  expect(outcomeOf(answer)).toEqual([403, 'account_pending_approval']);
});

describe('what is not yours', () => {
  let before: Awaited<ReturnType<typeof stateOfAll>>;

  beforeAll(async () => {
    for (const [name, row] of Object.entries(rows))
      if (row.id && operations.has(name)) victims.set(name, await row.id.own(fixtures, fixtures[ownerOf(row)]));
    before = await stateOfAll();
  });

  /** A hash of every collection; of the audit log, which has refusals for the role of a caller, how many other entries it has. */
  async function stateOfAll() {
    const hashes = Object.entries(await system.fingerprint()).filter(([place]) => !place.startsWith('identity.audit_'));
    const entries = system.database('identity').collection('audit_entries');
    return {
      hashes: Object.fromEntries(hashes),
      otherEntries: await entries.countDocuments({ action: { $ne: 'access-refused' } }),
    };
  }

  it.each(Object.keys(rows))('%s refuses', async (name) => {
    if (!operations.has(name)) return;
    for (const caller of callersOf(rows[name] as Row)) await expectRefusals(name, caller);
    for (const role of otherStaff) await expectRoleKept(name, role);
  });

  it('stays as it was', async () => {
    expect(await stateOfAll()).toEqual(before);
  });
});

describe('what is yours', () => {
  const provedAt = new Map<Person, number>();

  /** A proof is good for five minutes. */
  async function proveAgain(person: Person): Promise<void> {
    if (performance.now() - (provedAt.get(person) ?? -Infinity) < 60_000) return;
    provedAt.set(person, performance.now());
    await logInAgain(system, person);
  }

  it.each(Object.entries(rows))('%s answers', async (name, row) => {
    if (!operations.has(name)) return;
    const { optionalToken, method } = (operations.get(name) as Operation).spec;
    for (const caller of [...callersOf(row), ...staffFor(name, row)]) {
      if (refusal(row, caller)) continue;
      const person = personOf(caller);
      if (person && row.fresh) await proveAgain(person);
      // A limited session can make nothing of its own: it calls, as anybody may, on what is the owner's. What nobody has changed
      // yet is still there.
      const isNobody = person === undefined || caller === 'applicant';
      const isAbsent = row.ownersAlone && row.id && isNobody;
      const isKept = !row.anew && (caller === ownerOf(row) || (isNobody && (method === 'GET' || isAbsent)));
      const own = isKept
        ? victims.get(name)
        : await row.id?.own(fixtures, person && !isNobody ? person : fixtures.owner);
      const { answer, sent } = await call(name, caller, own);
      const ok = typeof row.ok === 'function' ? row.ok(person ?? fixtures.owner, fixtures) : row.ok;
      const wanted = isAbsent ? [404, row.id?.missing] : typeof ok === 'number' ? [ok, undefined] : ok;
      expect(outcomeOf(answer), `${caller}: ${answer.text}`).toEqual(wanted);
      const isIgnored = caller === 'suspended' && optionalToken ? 'true' : null;
      expect(answer.headers.get('x-token-ignored'), caller).toBe(isIgnored);
      // What the caller has sent is no news to them.
      const marks = isForeign(row, caller) ? ownersMarks(row).filter((mark) => ![own].flat().includes(mark)) : [];
      const seen = marks.filter((mark) => answer.text.includes(mark));
      expect(seen, `${caller} sees what is the owner's`).toEqual([]);
      if (!person) continue;
      await row.after?.(person, sent, fixtures);
      if (row.endsTokens) await logInAgain(system, person);
    }
  });
});

describe('a program', () => {
  let token: string;

  beforeAll(async () => {
    await logInAgain(system, fixtures.admin);
    const body = { name: 'Everything', scopes };
    const made = await system.call('POST', '/v1/api-tokens', { token: fixtures.admin.token, body });
    token = made.body.token;
    system.leaks.keepSecret(token);
  });

  it.each(Object.entries(rows))('with all scopes may call %s only if it names one', async (name, row) => {
    const { scope, method, path, sameOrigin } = (operations.get(name) as Operation).spec;
    // What it may call is called on what is nobody's, or where there is nothing to name, in the tests of its service.
    if (row.access === 'open' || (scope && !row.id)) return;
    const wanted = scope ? [404, row.id?.missing, undefined] : [403, 'scope_required', null];
    const body = row.body?.(fixtures, fixtures.admin);
    const headers: Record<string, string> = sameOrigin ? { origin: system.url } : {};
    const answer = await system.call(method, fill(path, row.id?.random(), row.query), { token, body, headers });
    expect([...outcomeOf(answer), answer.body.scope]).toEqual(wanted);
  });
});

describe('what somebody has read in another version', () => {
  const versioned = Object.values(specs)
    .flatMap((ofService): OperationSpec[] => Object.values(ofService))
    .filter(takesIfMatch);

  it.each(versioned.map(({ id }) => id))('%s does not change', async (name) => {
    const row = rows[name] as Row;
    const who = row.alsoFor ? fixtures.applicant : fixtures[ownerOf(row)];
    const { method, path } = (operations.get(name) as Operation).spec;
    const answer = await system.call(method, fill(path, await row.id?.own(fixtures, who), row.query), {
      token: who.token,
      body: row.body?.(fixtures, who),
      headers: { 'if-match': '"0"' },
    });
    expect(outcomeOf(answer)).toEqual([412, 'version_mismatch']);
  });
});

describe('who erases themselves', () => {
  const countsOfEverybody = new Set([
    'attempts',
    'login_failures',
    'decoys',
    'audit_floods',
    'roll_up_cells',
    'roll_up_sets',
    'roll_up_sizes',
    'roll_up_values',
  ]);
  const eraseMe = (caller: Person | undefined, body: unknown, query = '', headers = {}) =>
    system.call('DELETE', `/v1/users/me${query}`, { token: caller?.token, body, headers });

  /**
   * Every document by where it lies, but for counts of wrong passwords and of audit entries, writes that stand for
   * others, and sums of what everybody did, with the number that the newest person has in them.
   */
  async function everything(): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const place of Object.keys(await system.fingerprint())) {
      const [service = '', collection = ''] = place.split('.');
      if (countsOfEverybody.has(collection)) continue;
      for await (const document of system.database(service).collection(collection).find())
        if (place !== 'engagement.people' || String(document._id) !== 'last')
          found[`${place} ${String(document._id)}`] = document;
    }
    return found;
  }

  it.each(Object.entries(leavers))('%s takes nothing of anybody else along', async (_what, join) => {
    const others = [fixtures.owner, fixtures.stranger, fixtures.trade, fixtures.admin];
    // An erasure needs a fresh proof for every caller.
    for (const other of others) await logInAgain(system, other);
    const before = await everything();
    const leaver = await join(fixtures);
    const asked = await system.call('POST', '/v1/users/me/export', { token: leaver.token });
    const getExport = (caller: Person | undefined, id: string) =>
      system.call('GET', `/v1/users/me/exports/${id}`, { token: caller?.token });
    expect((await getExport(leaver, asked.body.id)).status).toBe(200);

    const { password } = leaver;
    expect(outcomeOf(await eraseMe(undefined, { password }))).toEqual([401, 'authentication_required']);
    expect(outcomeOf(await eraseMe(fixtures.suspended, { password: fixtures.suspended.password }))).toEqual([
      401,
      'invalid_token',
    ]);
    expect(outcomeOf(await eraseMe(fixtures.admin, { password: fixtures.admin.password }))).toEqual([
      422,
      'staff_not_erasable',
    ]);
    for (const other of others)
      expect(outcomeOf(await eraseMe(other, { password }))).toEqual([400, 'validation_failed']);
    for (const name of ['id', 'userId', 'sub', 'email'])
      expect(outcomeOf(await eraseMe(leaver, { password, [name]: fixtures.owner.id }))).toEqual([
        400,
        'validation_failed',
      ]);
    expect((await system.call('GET', '/v1/users/me', { token: leaver.token })).status).toBe(200);

    const { id } = fixtures.owner;
    const headers = { 'x-user-id': id, 'x-internal-token': fixtures.owner.token, 'x-http-method-override': 'GET' };
    expect(outcomeOf(await eraseMe(leaver, { password }, `?id=${id}&userId=${id}`, headers))).toEqual([202, undefined]);
    for (const answer of [
      await eraseMe(leaver, { password }),
      await system.call('POST', '/v1/users/me/export', { token: leaver.token }),
      await getExport(leaver, asked.body.id),
    ])
      expect(outcomeOf(answer)).toEqual([401, 'invalid_token']);
    for (const other of others) expect(outcomeOf(await getExport(other, asked.body.id))).toEqual([404, 'not_found']);
    const users = system.database('identity').collection<{ _id: string }>('users');
    await eventually(async () => (await users.findOne({ _id: leaver.id })) === null, 'the account to be gone');
    const after = await everything();
    expect(Object.fromEntries(Object.keys(before).map((place) => [place, after[place]]))).toEqual(before);
  });
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
