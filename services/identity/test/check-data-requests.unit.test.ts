import { newId, type Decision } from '@storefront/contracts';
import { memoryLogger } from '@storefront/testing';
import { expect, it } from 'vitest';
import { checkDataRequests } from '../src/user-data/commands/check-data-requests.ts';

const now = new Date();
const ada = newId('user');

/** Due erasures: of each user, the services that have not answered. Only Ada is still stored. */
function needsOf(erasures: Readonly<Record<string, readonly string[]>>) {
  const { logger, lines } = memoryLogger();
  const published: unknown[] = [];
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
        if (decision.kind === 'changed') published.push(...decision.facts.map(({ data }) => ({ id, data })));
        return { result: decision.result };
      },
    },
  };
  // The missing parts are not called where services have not answered.
  return { needs: { ...parts } as unknown as Parameters<typeof checkDataRequests>[0], published, lines };
}

it('checks all other requests where one can not be checked, and counts in any case', async () => {
  const { needs, published, lines } = needsOf({ gone: ['account'], [ada]: ['account'] });
  expect(await checkDataRequests(needs)).toEqual({ erasure: 2, export: 0 });
  const data = {
    email: 'ada@one.example',
    role: 'retail',
    registrations: ['registration of ada@one.example'],
    waitingFor: ['account'],
  };
  expect(published).toEqual([{ id: `erasure/${ada}`, data }]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, userId: 'gone', msg: expect.stringContaining('could not be checked') },
    { level: 40, userId: ada, msg: expect.stringContaining('it is published again') },
  ]);
});

it('logs that a request which every service had answered has ended now, not that it is published again', async () => {
  const { needs, lines } = needsOf({ done: [] });
  await checkDataRequests(needs);
  const line = expect.objectContaining({ level: 40, userId: 'done', msg: expect.stringContaining('it has now') });
  expect(lines.map((text) => JSON.parse(text))).toEqual([line]);
});
