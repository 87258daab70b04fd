import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomOf } from '../faults/random.ts';
import { makeKnown } from './enumeration/known.ts';
import type { Known } from './enumeration/known.ts';
import { differenceByChance, differenceOf } from './enumeration/sides.ts';
import type { Sides } from './enumeration/sides.ts';
import type { Seen } from './system/leaks.ts';
import { newEmail, tradeApplication } from './system/people.ts';
import { startSystem } from './system/system.ts';
import type { System } from './system/system.ts';

/** One route that takes an email from anybody. */
interface Door {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  readonly code?: string;
  /** Which accounts it is about: those that wait for their code, or those that have proved their email. */
  readonly accounts: keyof Known;
  body(email: string): object;
}

// A round is enough where both sides are alike; a difference has to persist over all of them.
const triesInRound = 200;
const rounds = 2;
const atOnce = 4;
const random = randomOf(7, 'enumeration');
const password = 'a lake that nobody knows of';
const person = (email: string) => ({ email, password, firstName: 'Ada', lastName: 'Lovelace' });

const doors: readonly Door[] = [
  { name: 'register', path: '/v1/auth/register', status: 202, accounts: 'verified', body: person },
  {
    name: 'trade register',
    path: '/v1/auth/trade/register',
    status: 201,
    accounts: 'verified',
    body: (email) => tradeApplication(email, password),
  },
  { name: 'resend', path: '/v1/auth/verify/resend', status: 202, accounts: 'waiting', body: (email) => ({ email }) },
  { name: 'forgot', path: '/v1/auth/password/forgot', status: 202, accounts: 'verified', body: (email) => ({ email }) },
  {
    name: 'verify',
    path: '/v1/auth/verify',
    status: 400,
    code: 'invalid_code',
    accounts: 'waiting',
    body: (email) => ({ email, code: '000000' }),
  },
  {
    name: 'reset',
    path: '/v1/auth/password/reset',
    status: 400,
    code: 'invalid_code',
    accounts: 'verified',
    body: (email) => ({ email, code: '000000', newPassword: password }),
  },
  {
    name: 'login',
    path: '/v1/auth/login',
    status: 401,
    code: 'invalid_credentials',
    accounts: 'verified',
    body: (email) => ({ email, password }),
  },
];

let system: System;
let known: Known;

beforeAll(async () => {
  system = await startSystem('enumeration');
  known = await makeKnown(system, triesInRound * rounds + 1);
});
afterAll(async () => {
  await system?.close();
});

const knock = (door: Door, email: string) => system.call('POST', door.path, { body: door.body(email) });

/** What the answer says, without what names this very request. */
function words({ status, headers, body }: Seen, email: string): unknown {
  const { requestId: _requestId, ...rest } = body;
  const plain = JSON.stringify(rest)
    .replaceAll(email, 'EMAIL')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  const named = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name));
  return { status, headers: named, body: plain };
}

/** Adds a round of tries, each side's in any order, so that whatever else goes on falls on both sides alike. */
async function measure(door: Door, round: number, times: Sides): Promise<void> {
  const emails = known[door.accounts].slice(round * triesInRound, (round + 1) * triesInRound);
  const left = random.shuffle([
    ...emails.map((email) => ({ side: 'known', email }) as const),
    ...emails.map(() => ({ side: 'unknown', email: newEmail('unknown') }) as const),
  ]);
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const began = performance.now();
      const { status } = await knock(door, next.email);
      times[next.side].push(performance.now() - began);
      if (status !== door.status) throw new Error(`${door.name} answered ${status} for an email that is ${next.side}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

// Far below what a write more, or a hash less, makes of it.
const tolerance = 0.1;

describe.each(doors)('$name', (door) => {
  it('says the same of an email whether it is known or not', async () => {
    const email = known[door.accounts].at(-1) ?? '';
    const stranger = newEmail('unknown');
    const [ofKnown, ofUnknown] = [await knock(door, email), await knock(door, stranger)];
    expect([ofKnown.status, ofKnown.body.code]).toEqual([door.status, door.code]);
    expect(words(ofKnown, email)).toEqual(words(ofUnknown, stranger));
  });

  it('takes as long for either', async () => {
    const times: Sides = { known: [], unknown: [] };
    let [difference, allowed] = [1, 0];
    for (let round = 0; round < rounds && difference > allowed; round += 1) {
      await measure(door, round, times);
      difference = differenceOf(times);
      // On a busy machine the times lie so far apart that chance alone makes a difference.
      allowed = Math.max(tolerance, differenceByChance(times, random));
    }
    expect(times.known.length).toBeGreaterThanOrEqual(triesInRound);
    expect(difference).toBeLessThanOrEqual(allowed);
  });
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
