import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { randomOf } from '../faults/random.ts';
import { observe, successOf, type Observation } from './enumeration/classifier.ts';
import { differenceByChance, differenceOf, type Sides } from './enumeration/sides.ts';
import { openTargetMaker, type TargetMaker, type Targets } from './enumeration/targets.ts';
import type { Seen } from './system/leaks.ts';
import { tradeApplication } from './system/people.ts';
import { startSystem, type System } from './system/system.ts';

/** One route that takes an email, or what was answered about one, from anybody. */
interface Door {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  readonly code?: string;
  readonly targets: keyof TargetMaker;
  body(target: string): object;
  /** It is also tried with many requests at once; in each run, or only in the whole proof. */
  readonly inBatches?: 'always' | 'in the proof';
}

const isProof = inject('isProof');
// A round is enough where both sides are alike; a difference has to persist over all of them.
const triesInRound = isProof ? 100 : 40;
const rounds = 4;
const atOnce = 4;
const batchSize = 25;
const batchesInRound = 16;
/** Chance and five points: of the 2000 requests of five rounds, chance exceeds it in fewer than one of 100,000 times. */
const allowedSuccess = 0.55;
/**
 * So little after any round that more rounds are not needed: chance alone exceeds it in one of twelve first rounds, of 400
 * requests, and who is right in 60 of 100 cases in all but one of 250.
 */
const clearSuccess = 0.535;
const batchRounds = 5;
const random = randomOf(7, 'enumeration');
const password = 'a lake that nobody knows of';
const person = (email: string) => ({ email, password, firstName: 'Ada', lastName: 'Lovelace' });

const doors: readonly Door[] = [
  {
    name: 'register',
    path: '/v1/auth/register',
    status: 202,
    targets: 'accounts',
    body: person,
    inBatches: 'always',
  },
  {
    name: 'trade register',
    path: '/v1/auth/trade/register',
    status: 201,
    targets: 'accounts',
    body: (email) => tradeApplication(email, password),
    inBatches: 'in the proof',
  },
  {
    name: 'resend',
    path: '/v1/auth/verify/resend',
    status: 202,
    targets: 'registrations',
    body: (registrationId) => ({ registrationId }),
    inBatches: 'in the proof',
  },
  {
    name: 'resend by password',
    path: '/v1/auth/verify/resend',
    status: 202,
    targets: 'unproved',
    body: (email) => ({ email, password }),
  },
  {
    name: 'forgot',
    path: '/v1/auth/password/forgot',
    status: 202,
    targets: 'accounts',
    body: (email) => ({ email }),
    inBatches: 'in the proof',
  },
  {
    name: 'verify',
    path: '/v1/auth/verify',
    status: 400,
    code: 'invalid_code',
    targets: 'registrations',
    body: (registrationId) => ({ registrationId, code: '000000' }),
    inBatches: 'in the proof',
  },
  {
    name: 'verify by password',
    path: '/v1/auth/verify',
    status: 400,
    code: 'invalid_code',
    targets: 'unproved',
    body: (email) => ({ email, password, code: '000000' }),
  },
  {
    name: 'reset',
    path: '/v1/auth/password/reset',
    status: 400,
    code: 'invalid_code',
    targets: 'recoveries',
    body: (recoveryId) => ({ recoveryId, code: '000000', newPassword: password }),
    inBatches: 'in the proof',
  },
  {
    name: 'login',
    path: '/v1/auth/login',
    status: 401,
    code: 'invalid_credentials',
    targets: 'accounts',
    body: (email) => ({ email, password }),
    inBatches: 'always',
  },
  {
    name: 'login before the proof',
    path: '/v1/auth/login',
    status: 401,
    code: 'invalid_credentials',
    targets: 'unproved',
    body: (email) => ({ email, password }),
  },
];

let system: System;
let targets: TargetMaker;

beforeAll(async () => {
  system = await startSystem('enumeration', {}, 'rabbitmq');
  targets = await openTargetMaker(system);
});
afterAll(async () => {
  await system?.close();
});

const knock = (door: Door, target: string) => system.call('POST', door.path, { body: door.body(target) });

async function timed(door: Door, target: string): Promise<number> {
  const began = performance.now();
  const { status, text } = await knock(door, target);
  const ms = performance.now() - began;
  if (status !== door.status) throw new Error(`${door.name} answered ${status} about ${target}: ${text}`);
  return ms;
}

/** What the answer says, without what names this very request. */
function words({ status, headers, body }: Seen, target: string): unknown {
  const { requestId: _requestId, ...rest } = body;
  const plain = JSON.stringify(rest)
    .replaceAll(target, 'TARGET')
    .replaceAll(/\b(?:reg|rec)_[0-9a-z]{26}\b/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  const named = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name));
  return { status, headers: named, body: plain };
}

/** Adds a round of tries, each side's in any order, so that whatever else goes on falls on both sides alike. */
async function measure(door: Door, times: Sides): Promise<void> {
  const left = mixed(await targets[door.targets](triesInRound));
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) times[next.side].push(await timed(door, next.target));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function mixed({ known, unknown }: Targets): { side: keyof Targets; target: string }[] {
  return random.shuffle([
    ...known.map((target) => ({ side: 'known', target }) as const),
    ...unknown.map((target) => ({ side: 'unknown', target }) as const),
  ]);
}

/** Adds a round of batches: the requests of a batch are sent at once, half of them about known targets. */
async function measureBatches(door: Door, round: number): Promise<Observation[]> {
  const { known, unknown } = await targets[door.targets](Math.ceil((batchSize * batchesInRound) / 2));
  const taken = { known: 0, unknown: 0 };
  const observations: Observation[] = [];
  for (let at = 0; at < batchesInRound; at += 1) {
    // An odd one out, on one side after the other, alike for the batches to learn from and those to be judged.
    const ofKnown = Math.floor(batchSize / 2) + (Math.floor(at / 2) % 2);
    const batch = mixed({
      known: known.slice(taken.known, (taken.known += ofKnown)),
      unknown: unknown.slice(taken.unknown, (taken.unknown += batchSize - ofKnown)),
    });
    const answers = batch.map(async ({ side, target }) => ({
      isKnown: side === 'known',
      ms: await timed(door, target),
    }));
    observations.push(...observe(round * batchesInRound + at, await Promise.all(answers)));
  }
  return observations;
}

// Far below what a write more, or a hash less, makes of it.
const tolerance = 0.1;

describe.each(doors)('$name', (door) => {
  it('says the same of an email whether it is known or not', async () => {
    const made = await targets[door.targets](1);
    const [known = '', unknown = ''] = [...made.known, ...made.unknown];
    const [ofKnown, ofUnknown] = [await knock(door, known), await knock(door, unknown)];
    expect([ofKnown.status, ofKnown.body.code]).toEqual([door.status, door.code]);
    expect(words(ofKnown, known)).toEqual(words(ofUnknown, unknown));
  });

  it('takes as long for either', async () => {
    const times: Sides = { known: [], unknown: [] };
    let [difference, allowed] = [1, 0];
    for (let round = 0; round < rounds && difference > allowed; round += 1) {
      await measure(door, times);
      difference = differenceOf(times);
      // On a busy machine the times lie so far apart that chance alone makes a difference.
      allowed = difference > tolerance ? Math.max(tolerance, differenceByChance(times, random)) : tolerance;
    }
    expect(times.known.length).toBeGreaterThanOrEqual(triesInRound);
    expect(difference).toBeLessThanOrEqual(allowed);
  });
});

const inBatches = doors.filter((door) => door.inBatches === 'always' || (isProof && door.inBatches !== undefined));

describe.each(inBatches)('$name, with 25 requests at once', (door) => {
  it('lets nobody distinguish known from unknown ones better than by chance', async () => {
    const observations: Observation[] = [];
    let [success, feature] = [1, ''];
    for (let round = 0; round < batchRounds && success > clearSuccess; round += 1) {
      observations.push(...(await measureBatches(door, round)));
      ({ success, feature } = successOf(observations));
    }
    expect(success, `distinguished by ${feature}`).toBeLessThanOrEqual(allowedSuccess);
  });
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
