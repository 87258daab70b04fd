import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import type { Checks } from '../src/index.ts';
import { serveProbes } from '../src/probes.ts';

const good = () => ({ ok: true });
const bad = () => ({ ok: false, reason: 'away' });
const never = () => new Promise<never>(() => {});

async function ready({
  needed,
  reported,
  draining = false,
}: {
  needed?: Checks;
  reported?: Checks;
  draining?: boolean;
}) {
  const app = fastify();
  serveProbes(app, undefined, { needed: needed ?? {}, reported: reported ?? {} }, () => draining);
  const answer = await app.inject('/readyz');
  return { code: answer.statusCode, ...answer.json() };
}

it('a service is ready while everything is well', async () => {
  expect(await ready({ needed: { database: good }, reported: { broker: good } })).toEqual({
    code: 200,
    status: 'ready',
    checks: { database: { ok: true }, broker: { ok: true } },
  });
});

it('what requests do not need is reported, and takes no request away', async () => {
  expect(await ready({ needed: { database: good }, reported: { broker: bad, outbox: good } })).toEqual({
    code: 200,
    status: 'degraded',
    checks: { database: { ok: true }, broker: { ok: false, reason: 'away' }, outbox: { ok: true } },
  });
});

it.each<[string, Parameters<typeof ready>[0], string]>([
  ['something that requests need is missing', { needed: { database: bad }, reported: { broker: good } }, 'not-ready'],
  ['it is draining', { needed: { database: good }, draining: true }, 'draining'],
])('takes no requests while %s', async (_why, checks, status) => {
  expect(await ready(checks)).toMatchObject({ code: 503, status });
});

it('a check that throws or never ends is not ok, and holds nobody up', async () => {
  const throws = () => {
    throw new Error('broken');
  };
  expect(await ready({ needed: { throws }, reported: { never } })).toMatchObject({
    code: 503,
    checks: { throws: { ok: false, reason: 'broken' }, never: { ok: false, reason: 'no answer within 1200 ms' } },
  });
});
