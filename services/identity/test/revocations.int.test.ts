import { eventually } from '@storefront/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentity } from './harness.ts';
import type { IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

const snapshot = async () => (await identity.call('GET', '/internal/revocations')).body;
const watermark = () => identity.events.findLast(({ type }) => type === 'identity.revocations-published')?.data.upTo;

describe('GET /internal/revocations', () => {
  it('names users whose tokens were revoked, for as long as these might live', async () => {
    const { accessToken, user } = await identity.member('ada@one.example');
    await identity.atOneMoment(async () => {
      expect((await snapshot()).users).toEqual([]);
      await identity.post('/v1/auth/logout', undefined, accessToken);
      const before = identity.now().toISOString();
      const found = await snapshot();
      expect(found).toEqual({ users: [{ id: user.id, ver: 2 }], sessions: [], asOf: expect.any(String) });
      expect(found.asOf >= before).toBe(true);
      identity.advance(959);
      expect((await snapshot()).users).toHaveLength(1);
      identity.advance(2);
      expect((await snapshot()).users).toEqual([]);
    });
  });

  it('names sessions that were ended one by one', async () => {
    const { accessToken } = await identity.member('session@one.example');
    const sid = String(decodeJwt(accessToken)['sid']);
    await identity.call('DELETE', `/v1/auth/sessions/${sid}`, { as: accessToken });
    const until = new Date((await snapshot()).sessions[0].until).getTime() - identity.now().getTime();
    expect((await snapshot()).sessions).toEqual([{ id: sid, until: expect.any(String) }]);
    expect(until).toBeGreaterThan(950_000);
    identity.advance(961);
    expect((await snapshot()).sessions).toEqual([]);
  });

  it('is for the gateway', async () => {
    expect((await fetch(`${identity.url()}/internal/revocations`)).status).toBe(403);
  });

  it('reads no more than what it answers, by an index', async () => {
    const users = identity.collection('users');
    for (const filter of [{ tokensRevokedAt: { $gte: new Date() } }, { 'endedSessions.until': { $gt: new Date() } }]) {
      const plan = await users.find(filter).explain('executionStats');
      expect(JSON.stringify(plan['queryPlanner'].winningPlan)).toContain('IXSCAN');
    }
  });
});

describe('GET /internal/token-state/:userId/:sessionId', () => {
  const state = async (token: string) => {
    const { sub, sid } = decodeJwt(token);
    return (await identity.call('GET', `/internal/token-state/${String(sub)}/${String(sid)}`)).body;
  };

  it('follows the user and the session', async () => {
    const { email, accessToken } = await identity.member('state@one.example');
    expect(await state(accessToken)).toEqual({ ver: 1, sessionAlive: true, status: 'active' });
    const body = { email, password: 'a quiet lake in the morning' };
    const { body: other } = await identity.post('/v1/auth/login', body);
    await identity.call('DELETE', `/v1/auth/sessions/${String(decodeJwt(other.accessToken)['sid'])}`, {
      as: accessToken,
    });
    expect(await state(other.accessToken)).toMatchObject({ ver: 1, sessionAlive: false });
    await identity.post('/v1/auth/logout', undefined, accessToken);
    expect(await state(accessToken)).toEqual({ ver: 2, sessionAlive: false, status: 'active' });
  });

  it('is 404 for nobody', async () => {
    const path = '/internal/token-state/user_01h455vb4pex5vsknk084sn02q/sess_01h455vb4pex5vsknk084sn02q';
    expect((await identity.call('GET', path)).status).toBe(404);
  });
});

describe('the watermark', () => {
  it('continues while nothing happens', async () => {
    const first = await eventually(watermark, 'a first watermark');
    expect(await eventually(() => watermark() > first, 'one that is further on')).toBe(true);
  });

  it('does not pass a revocation that is not published', async () => {
    const { user } = await identity.member('stuck@one.example');
    const at = await identity.atOneMoment(async () => {
      // Written as by an instance that died before it published; it stays too young to be swept.
      const time = new Date(identity.now().getTime() - 500).toISOString();
      const stuck = { id: 'evt_01h455vb4pex5vsknk084sn02q', type: 'identity.tokens-revoked', time, data: {} };
      const seen = identity.events.length;
      await identity.collection('users').updateOne({ _id: user.id }, { $push: { outbox: stuck } as object });
      const held = await eventually(
        () => identity.events.slice(seen).findLast((event) => event.data.upTo <= time),
        'a watermark that is held back',
      );
      expect(held.data.upTo).toBe(time);
      return time;
    });
    await eventually(() => watermark() > at, 'the watermark once the sweep has published it');
  });
});
