import type { AccessClaims } from '@storefront/access-token';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startIdentity, type IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

const create = (as: string) => identity.post('/v1/notifications/stream-tickets', undefined, as);
const take = (ticket: string) => identity.post('/internal/stream-tickets/take', { ticket });

it('is for one use within 30 seconds, as the session that asked for it', async () => {
  const { accessToken, user } = await identity.member('ada@one.example');
  const { sid } = decodeJwt(accessToken);
  await identity.atOneMoment(async () => {
    const { status, body } = await create(accessToken);
    expect([status, body]).toEqual([
      201,
      {
        ticket: expect.stringMatching(/^ticket_[\w-]{43}$/),
        expiresAt: new Date(identity.now().getTime() + 30_000).toISOString(),
      },
    ]);
    identity.advance(29);
    const answers = await Promise.all(Array.from({ length: 20 }, () => take(body.ticket)));
    const taken = answers.filter((answer) => answer.status === 200);
    expect(taken.map((answer) => answer.body)).toEqual([{ sub: user.id, sid, role: 'retail', ver: 1, expiresIn: 900 }]);
    expect(answers.filter((answer) => answer.status === 404)).toHaveLength(19);
  });
});

it('is worth nothing after 30 seconds, and nothing that the database has is worth anything', async () => {
  const { accessToken } = await identity.member('late@one.example');
  await identity.atOneMoment(async () => {
    const { body } = await create(accessToken);
    const stored = await identity.collection('stream_tickets').findOne({});
    expect(JSON.stringify(stored)).not.toContain(body.ticket);
    expect((await take(stored._id)).status).toBe(404);
    identity.advance(30);
    expect((await take(body.ticket)).status).toBe(404);
  });
});

it('is for those who are logged in, and not for limited sessions', async () => {
  const path = '/v1/notifications/stream-tickets';
  expect((await identity.post(path)).status).toBe(401);
  const { accessToken } = await identity.member('limited@one.example');
  const limited: AccessClaims = { ...decodeJwt<AccessClaims>(accessToken), role: 'applicant' };
  expect(await identity.instances[0]?.call(limited, 'POST', path)).toMatchObject({
    status: 403,
    body: { code: 'session_limited' },
  });
});
