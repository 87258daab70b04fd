import { newId, type Decision } from '@storefront/contracts';
import { memoryLogger } from '@storefront/testing';
import { expect, it } from 'vitest';
import { lookAtRequests } from '../src/user-data/commands/look-at-requests.ts';

const now = new Date();
const ada = newId('user');

/** Erasures whose time has come, of these users and services that have not answered. Only Ada is still there. */
function needsOf(erasures: Readonly<Record<string, readonly string[]>>) {
  const { logger, lines } = memoryLogger();
  const asked: unknown[] = [];
  const parts = {
    logger,
    waitingRequests: {
      due: async () => ({ now, requests: Object.keys(erasures).map((userId) => ({ kind: 'erasure', userId })) }),
      countOverdue: async () => ({ erasure: 2, export: 0 }),
    },
    users: {
      load: async (id: string) => (id === ada ? { state: { id, email: 'ada@one.example', role: 'retail' } } : null),
    },
    registrations: { idsOf: async (email: string) => [`registration of ${email}`] },
    erasures: {
      async change(id: string, decide: (current: object) => Decision<object, unknown>) {
        const watch = { since: now, nextAt: now };
        const waitingFor = erasures[id.slice('erasure/'.length)];
        const decision = decide({ id, userId: id, asks: 1, watch, waitingFor });
        if (decision.kind === 'changed') asked.push(...decision.facts.map(({ data }) => ({ id, data })));
        return { result: decision.result };
      },
    },
  };
  // What is not there is not reached where services have not answered.
  return { needs: { ...parts } as unknown as Parameters<typeof lookAtRequests>[0], asked, lines };
}

it('looks at all the others where one request can not be looked at, and counts in any case', async () => {
  const { needs, asked, lines } = needsOf({ gone: ['account'], [ada]: ['account'] });
  expect(await lookAtRequests(needs)).toEqual({ erasure: 2, export: 0 });
  const data = {
    email: 'ada@one.example',
    role: 'retail',
    registrations: ['registration of ada@one.example'],
    waitingFor: ['account'],
  };
  expect(asked).toEqual([{ id: `erasure/${ada}`, data }]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, userId: 'gone', msg: expect.stringContaining('could not be looked at') },
    { level: 40, userId: ada, msg: expect.stringContaining('its services are asked again') },
  ]);
});

it('says of what every service had answered that it has ended now, not that somebody is asked', async () => {
  const { needs, lines } = needsOf({ done: [] });
  await lookAtRequests(needs);
  const line = expect.objectContaining({ level: 40, userId: 'done', msg: expect.stringContaining('it has now') });
  expect(lines.map((text) => JSON.parse(text))).toEqual([line]);
});
