import { gatewayEvents, identityEvents } from '@storefront/contracts';
import { eventually, newEvent, recordQueries, startProxy } from '@storefront/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentity, type IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => {
  identity = await startIdentity();
  await recordQueries(identity.connection);
});
afterAll(() => identity.close());

/** The commands of that kind as the database ran them. */
async function ran(isMeant: (command: any) => boolean): Promise<any[]> {
  const found = await identity.collection('system.profile').find({}).toArray();
  return found.filter(({ command }) => isMeant(command));
}
const concernsOf = async (isMeant: (command: any) => boolean) => [
  ...new Set((await ran(isMeant)).map(({ command }) => command.readConcern?.level)),
];

const snapshot = async () => (await identity.call('GET', '/internal/revocations')).body;

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

  it('names what a token may outlive, also by the clocks of two instances that differ by 20 s', async () => {
    const ahead = await identity.another({ now: () => new Date(identity.now().getTime() + 20_000) });
    const [everywhere, once] = [await identity.member('slow@one.example'), await identity.member('once@one.example')];
    const sid = String(decodeJwt(once.accessToken)['sid']);
    await identity.post('/v1/auth/logout', undefined, everywhere.accessToken);
    await identity.call('DELETE', `/v1/auth/sessions/${sid}`, { as: once.accessToken });
    // The gateway is 10 s behind, and the instance that issued the tokens 10 s ahead: they live 20 s longer.
    identity.advance(900 + 19);
    const { body } = await ahead('GET', '/internal/revocations');
    expect(body.users).toContainEqual({ id: everywhere.user.id, ver: 2 });
    expect(body.sessions).toContainEqual({ id: sid, until: expect.any(String) });
    identity.advance(100);
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

  it('reads what no change of the primary can take back, nor a deposed one deny', async () => {
    await snapshot();
    for (const field of ['tokensRevokedAt', 'endedSessions.until', 'until'])
      expect(await concernsOf(({ filter }) => filter !== undefined && field in filter), field).toEqual([
        'linearizable',
      ]);
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

  it('reads what no change of the primary can take back, nor a deposed one deny', async () => {
    const { accessToken, user } = await identity.member('concern@one.example');
    await state(accessToken);
    const isOfUser = ({ filter, projection }: any) => filter?._id?.$in?.includes(user.id) && projection?.tokenVersion;
    expect(await concernsOf(isOfUser)).toEqual(['linearizable']);
    const isOfSession = ({ aggregate, pipeline }: any) =>
      aggregate === 'sessions' && pipeline[0].$match.userId === user.id;
    expect(await concernsOf(isOfSession)).toEqual(['majority']);
  });

  it('refuses a session that was ended, whatever its own document says', async () => {
    const { accessToken } = await identity.member('ended@one.example');
    const sid = String(decodeJwt(accessToken)['sid']);
    const document = await identity.collection('sessions').findOne({ _id: sid });
    await identity.call('DELETE', `/v1/auth/sessions/${sid}`, { as: accessToken });
    // As a server shows it that has not heard of the end.
    await identity.collection('sessions').insertOne(document);
    expect(await state(accessToken)).toMatchObject({ ver: 1, sessionAlive: false });
  });

  it('is 503 in time where the database does not answer', async () => {
    const { sub, sid } = decodeJwt((await identity.member('silent@one.example')).accessToken);
    const proxy = await startProxy(identity.settings['MONGODB_URL'] ?? '');
    const url = new URL(proxy.url);
    url.searchParams.set('directConnection', 'true');
    const call = await identity.another({ settings: { MONGODB_URL: url.href } });
    const ask = () => call('GET', `/internal/token-state/${String(sub)}/${String(sid)}`);
    expect((await ask()).status).toBe(200);
    proxy.hold();
    try {
      const late = new Promise<null>((resolve) => setTimeout(resolve, 8000, null).unref());
      const answers = await Promise.race([Promise.all([ask(), ask()]), late]);
      expect(answers?.map(({ status }) => status)).toEqual([503, 503]);
      expect(answers?.[0].headers.get('retry-after')).toBe('1');
    } finally {
      proxy.accept();
    }
    await eventually(async () => (await ask()).status === 200, 'the state to be answered again');
    await identity.instances.at(-1)?.close();
    await proxy.close();
  });

  it('is 404 for nobody', async () => {
    const path = '/internal/token-state/user_01h455vb4pex5vsknk084sn02q/sess_01h455vb4pex5vsknk084sn02q';
    expect((await identity.call('GET', path)).status).toBe(404);
  });
});

describe('a check of a gateway', () => {
  const stuck = {
    id: 'evt_01h455vb4pex5vsknk084sn02q',
    type: identityEvents.tokensRevoked.type,
    time: new Date().toISOString(),
    data: {},
  };
  const ask = (gateway: string, check: number) =>
    identity.publish(newEvent(gatewayEvents.revocationCheckRequested, gateway, { check }));
  /** The checks of the gateway that were answered, in their order. */
  const answered = (gateway: string): number[] =>
    identity.events.flatMap(({ type, data }) =>
      type === identityEvents.revocationsPublished.type && gateway in data.checks ? [data.checks[gateway]] : [],
    );

  it('is answered, the newest of each gateway', async () => {
    await Promise.all([ask('one', 1), ask('other', 7)]);
    await eventually(() => answered('one').includes(1) && answered('other').includes(7), 'both answers');
    await ask('one', 3);
    await ask('one', 2);
    await eventually(() => answered('one').includes(3), 'the next answer');
    expect(answered('other')).not.toContain(3);
  });

  it('is not answered while a revocation waits to be published, and then it is', async () => {
    const { user } = await identity.member('stuck@one.example');
    const release = identity.holdPublishing(stuck.type);
    await identity.collection('users').updateOne({ _id: user.id }, { $push: { outbox: stuck } as object });
    await ask('waiting', 1);
    await eventually(async () => (await reads()).filter(({ nreturned }) => nreturned === 1).length > 2, 'its finds');
    expect(answered('waiting')).toEqual([]);
    release();
    await eventually(() => answered('waiting').includes(1), 'the answer once the sweep has published it');
  });

  // No deposed primary can answer such a read; the relay's sweep looks for the same type in another way.
  const isForAnswer = ({ filter, readConcern }: any) =>
    filter?.['outbox.type'] === stuck.type && readConcern?.level === 'linearizable';
  const reads = () => ran(isForAnswer);
});
