import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@storefront/client';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { clientOf, codeIn, mailTo } from './client.ts';
import { expectNothingLeft } from './nothing-left.ts';
import { holding, inTurns, logIn, signUpMany, type Person } from './people.ts';
import { expectRollingRestart, restartingPeople, rollingPatience } from './rolling-restart.ts';
import { startSeparateSystem, type SeparateSystem } from './separate-system.ts';
import { testErasure } from './separate/erasure.ts';
import { alive, familyOf } from './start-process.ts';

// One system with every part in a process of its own, first for erasures, then for logouts, restarts and what dies: to start it takes
// more of the processor's time than many a test.

// Of a service that knows nothing of tokens: only the gateway can refuse here.
const path = '/v1/users/me/addresses';
const elsewhereMs = 1000;
const betweenCallsMs = 1500;
/** How many log out at once. */
const count = inject('isProof') ? 100 : 16;

let system: SeparateSystem;
let everybody: Person[];
let leaving: Person[];
let staying: Person[];

beforeAll(async () => {
  system = await startSeparateSystem('separate', { ...rollingPatience }, { ownServers: true });
  everybody = await signUpMany(system.gateways[0], system.mailbox, count + 10);
  leaving = everybody.slice(0, count);
  staying = everybody.slice(count);
});

beforeEach(({ onTestFailed }) => {
  onTestFailed(() => void process.stderr.write(system.said()));
});
afterAll(() => system?.close());

interface Call {
  readonly person: Person;
  readonly gateway: string;
  readonly began: number;
  readonly ended: number;
  /** 0 where there was no answer. */
  readonly status: number;
}

interface Logout {
  readonly gateway: string;
  readonly asked: number;
  readonly answered: number;
}

async function call(person: Person, gateway: string): Promise<Call> {
  const { token } = person;
  const began = performance.now();
  const status = await clientOf(gateway)
    .call('GET', path, { token })
    .then(
      (answer) => answer.status,
      () => 0,
    );
  return { person, gateway, began, ended: performance.now(), status };
}

/** What that gateway answers once it knows: a 503 lets nobody through and shows nothing. */
const decided = (person: Person, gateway: string) =>
  eventually(async () => {
    const { status } = await call(person, gateway);
    return status !== 503 && status;
  }, 'an answer that is none for now');

/** All call through both gateways while those who leave log out, half of them through each gateway; what was answered. */
async function logOutWhileCalling(
  people: readonly Person[],
  onHalf: () => void = () => undefined,
): Promise<{ calls: Call[]; logouts: Map<Person, Logout> }> {
  const calls: Call[] = [];
  const logouts = new Map<Person, Logout>();
  const deadline = performance.now() + 120_000;
  let accepted = 0;
  let isOver = false;

  const callOn = async (person: Person, gateway: string) => {
    for (let isAccepted = false; ;) {
      const made = await call(person, gateway);
      calls.push(made);
      if (made.status === 200 && !isAccepted) {
        isAccepted = true;
        accepted += 1;
      }
      const out = logouts.get(person)?.answered ?? Infinity;
      // Past the time in which the other gateway may not know yet, it has to be refused, and not for want of knowing.
      if (staying.includes(person) ? isOver : made.began > out + elsewhereMs && made.status === 401) return;
      if (performance.now() > deadline) throw new Error(`${person.email} last got ${made.status} from ${gateway}`);
      await wait(betweenCallsMs * (0.5 + Math.random()));
    }
  };
  const leave = async (person: Person, at: number) => {
    if (at === people.length / 2) onHalf();
    const gateway = system.gateways[at % 2] ?? '';
    for (;;) {
      const asked = performance.now();
      const answer = await clientOf(gateway)
        .call('POST', '/v1/auth/logout', { token: person.token })
        .catch(() => undefined);
      if (answer?.status === 200) logouts.set(person, { gateway, asked, answered: performance.now() });
      // The answer to the first try may have been lost with the gateway.
      else if (answer?.status === 401) logouts.set(person, { gateway, asked: 0, answered: performance.now() });
      if (logouts.has(person)) break;
      if (performance.now() > deadline) throw new Error(`${person.email} could not log out`);
      await wait(50);
    }
    calls.push(await call(person, gateway));
  };

  const callers = [...people, ...staying].flatMap((person) =>
    system.gateways.map((gateway) => callOn(person, gateway)),
  );
  const left = eventually(() => accepted === callers.length, 'everybody to be accepted everywhere', 60_000).then(() =>
    inTurns(people, leave),
  );
  const leavers = callers.slice(0, people.length * 2);
  await Promise.all([left, ...leavers]).finally(() => (isOver = true));
  await Promise.all(callers);
  return { calls, logouts };
}

function expectRightAnswers({
  calls,
  logouts,
}: {
  calls: readonly Call[];
  logouts: ReadonlyMap<Person, Logout>;
}): void {
  const show = ({ person, gateway, began, status }: Call) => {
    const out = logouts.get(person);
    const when = out ? `${Math.round(began - out.answered)} ms after the logout at ${out.gateway}` : 'never logged out';
    return `${person.email}: ${status} from ${gateway}, ${when}`;
  };
  const passes = calls.filter(({ person, gateway, began, status }) => {
    const out = logouts.get(person);
    const isRefused = [401, 503, 0].includes(status);
    return out && !isRefused && began > out.answered + (gateway === out.gateway ? 0 : elsewhereMs);
  });
  expect(passes.slice(0, 20).map(show)).toEqual([]);

  const before = calls.filter(({ person, ended }) => ended < (logouts.get(person)?.asked ?? Infinity));
  expect(before.filter(({ status }) => ![200, 503, 0].includes(status)).map(show)).toEqual([]);
}

it('runs every part in a process of its own', () => {
  const names = ['gateway-1', 'gateway-2', 'identity', 'engagement', 'health', 'rabbitmq', 'mongodb'];
  expect(Object.keys(system.description.processes ?? {})).toEqual(expect.arrayContaining(names));
  expect(system.processes()).toEqual(system.description.processes);
});

describe('an erasure', () => {
  testErasure(() => system);
});

describe(`${count} users who log out while they call`, () => {
  it('are refused at once by that gateway, and within a second by the other', async () => {
    const seen = await logOutWhileCalling(leaving);
    expect(seen.logouts.size).toBe(count);
    expectRightAnswers(seen);
  });

  it('are refused by a gateway that was killed meanwhile and starts again', async () => {
    await inTurns(leaving, (person) => logIn(system.gateways[0], person));
    const before = system.pidOf('gateway-1');
    const seen = await logOutWhileCalling(leaving, () => process.kill(before, 'SIGKILL'));
    expectRightAnswers(seen);
    expect(system.processes()['gateway-1']).not.toBe(before);
  });

  it('are refused while the broker is halted or dead, and after it is back', async () => {
    await inTurns(leaving, (person) => logIn(system.gateways[0], person));
    // The nasty one: its connections look alive, and nothing comes.
    const before = system.pidOf('rabbitmq');
    process.kill(before, 'SIGSTOP');
    expectRightAnswers(await logOutWhileCalling(leaving.slice(0, count / 2)));
    process.kill(before, 'SIGKILL');
    expectRightAnswers(await logOutWhileCalling(leaving.slice(count / 2)));

    for (const gateway of system.gateways) {
      await eventually(async () => {
        const { checks } = (await (await fetch(`${gateway}/readyz`)).json()) as any;
        return checks.revocations.loaded && checks.revocations.ageMs < elsewhereMs;
      }, 'the gateway to know the revocations by itself again');
      for (const [people, expected] of [
        [leaving, 401],
        [staying, 200],
      ] as const) {
        const statuses = await inTurns(people, (person) => decided(person, gateway));
        expect(new Set(statuses)).toEqual(new Set([expected]));
      }
    }
  });
});

describe('some tokens of one user', () => {
  const expectAt = async (gateway: string, person: Person, token: string, status: number) =>
    expect(await decided({ ...person, token }, gateway)).toBe(status);

  /** Dead at once at the first gateway, within a second at the other. */
  async function expectDead(person: Person, token: string): Promise<void> {
    const [here, there] = system.gateways;
    await expectAt(here, person, token, 401);
    await wait(elsewhereMs);
    await expectAt(there, person, token, 401);
  }

  it('die with their session, while the other session goes on', async () => {
    const person = staying[0] as Person;
    const first = person.token;
    const { token } = await logIn(system.gateways[0], person);
    const shop = holding(system.gateways[0], token);
    const { data } = await shop.auth.listSessions();
    const id = data.find(({ current }) => !current)?.id ?? '';
    await shop.auth.endSession({ params: { id } });
    await expectDead(person, first);
    for (const gateway of system.gateways) await expectAt(gateway, person, token, 200);
  });

  it('die with the password that is changed, and new ones are good', async () => {
    const person = staying[1] as Person;
    const first = person.token;
    const { token, password } = await logIn(system.gateways[0], person);
    const body = { currentPassword: password, newPassword: 'rain over the old harbour' };
    const changed = await holding(system.gateways[0], token).auth.changePassword({ body });
    await expectAt(system.gateways[0], person, first, 401);
    await expectDead(person, token);
    await expectAt(system.gateways[1], person, first, 401);
    for (const gateway of system.gateways) await expectAt(gateway, person, changed.accessToken, 200);
  });

  it('die with the password that is reset', async () => {
    const { email, token, ...rest } = staying[2] as Person;
    const shop = createClient({ baseUrl: system.gateways[0] });
    const { recoveryId } = await shop.auth.forgotPassword({ body: { email } });
    const code = codeIn(await mailTo(system.mailbox, email, /password/i));
    const body = { recoveryId, code, newPassword: 'rain over the old harbour' };
    await shop.auth.resetPassword({ body });
    await expectDead({ ...rest, email, token }, token);
  });
});

it('restarts services and gateways under load: no request fails, each ends with 0', async () => {
  const people = await inTurns(leaving.slice(0, restartingPeople), (person) => logIn(system.gateways[0], person));
  await expectRollingRestart(system, people);
});

it('starts again what dies', async () => {
  const killAll = (killed: readonly string[]) =>
    Promise.all(
      killed.map((name) => {
        const before = system.pidOf(name);
        process.kill(before, 'SIGKILL');
        return eventually(
          () => {
            const now = system.processes()[name] ?? before;
            return now !== before && alive(familyOf(now)).some(({ pid }) => pid === now);
          },
          `${name} in processes.json with another pid, alive`,
          90_000,
        );
      }),
    );
  const client = clientOf(system.gateways[0]);
  const ready = () =>
    client.call('GET', '/v1/health/ready').then(
      ({ body }) => body.status === 'ready',
      () => false,
    );
  await killAll(['identity', 'gateway-1']);
  await killAll(['mongodb', 'rabbitmq']);
  await eventually(ready, 'all to be ready', 240_000);
  const body = system.description.accounts['admin'];
  expect((await client.call('POST', '/v1/auth/login', { body })).body.user.role).toBe('admin');
});

it('leaves nothing when it is killed itself', async () => {
  const family = familyOf(system.pid);
  // The one that watches over all of them is killed, and one that is halted can't hear of it.
  process.kill(system.pidOf('engagement'), 'SIGSTOP');
  const watcher = family.find(({ parent, command }) => parent === system.pid && command.includes('main.ts'));
  if (!watcher) throw new Error('nobody watches over them');
  process.kill(watcher.pid, 'SIGKILL');
  await expectNothingLeft(family, system.description);
});
