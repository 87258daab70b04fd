import { eventually, outcomes, times, wrongFields, type Answer } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, startIdentity, trade, type IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
let admin: string;
beforeAll(async () => {
  identity = await startIdentity({
    ADMIN_EMAIL: 'root@shop.example',
    ADMIN_PASSWORD: 'the keeper of the keys',
  });
  const body = { email: 'root@shop.example', password: 'the keeper of the keys' };
  admin = (await identity.post('/v1/auth/login', body)).body.accessToken;
});
afterAll(() => identity.close());

const applicant = (email: string) => identity.applicant(email);
const review = (id: string, action: string, body: unknown = { reason: 'Because.' }, headers = {}): Promise<Answer> =>
  identity.call('POST', `/v1/trade-accounts/${id}/${action}`, { body, as: admin, headers });
const logIn = (email: string) => identity.post('/v1/auth/login', { email, password });

describe('a trade account', () => {
  it('is approved, suspended and reinstated, and its timeline says who, when and why', async () => {
    const email = 'life@one.example';
    const id = await applicant(email);
    expect(await logIn(email)).toMatchObject({ status: 403, body: { code: 'account_pending_approval' } });

    // `reason` and `country` may be left out, and with them the body.
    const approved = await identity.call('POST', `/v1/trade-accounts/${id}/approve`, { as: admin });
    expect(approved).toMatchObject({ status: 200, body: { id, role: 'trade', status: 'approved' } });
    const { body: tokens } = await logIn(email);
    expect(tokens.user.trade).toEqual({
      businessName: 'Analytical Engines',
      businessAddress: '1 Mill Lane\nLondon\nUnited Kingdom',
      referralCode: null,
      vatNumber: null,
      companyRegistration: null,
      country: 'GB',
      submittedAt: expect.any(String),
    });

    const suspended = await review(id, 'suspend', { reason: 'Unpaid invoices.' });
    expect(suspended.headers.get('x-tokens-revoked')).toBe(`${id} 2`);
    expect(await logIn(email)).toMatchObject({ status: 403, body: { code: 'account_suspended' } });
    const { refreshToken } = tokens;
    expect((await identity.post('/v1/auth/refresh', { refreshToken })).status).toBe(401);

    const reinstated = await review(id, 'reinstate', {});
    expect(reinstated.body.trade.timeline).toEqual([
      { at: expect.any(String), by: id, action: 'submit', reason: null },
      { at: expect.any(String), by: id, action: 'verify-email', reason: null },
      { at: expect.any(String), by: expect.stringMatching(/^user_/), action: 'approve', reason: null },
      { at: expect.any(String), by: expect.stringMatching(/^user_/), action: 'suspend', reason: 'Unpaid invoices.' },
      { at: expect.any(String), by: expect.stringMatching(/^user_/), action: 'reinstate', reason: null },
    ]);
    expect((await logIn(email)).status).toBe(200);
    await eventually(
      () => identity.eventsAbout(email, 'identity.trade-account-reinstated').length === 1,
      'the last mail',
    );
    expect(identity.eventsAbout(email).map(({ type }) => type)).toEqual([
      'identity.trade-account-registered',
      'identity.user-verified',
      'identity.trade-account-submitted',
      'identity.trade-account-approved',
      'identity.trade-account-suspended',
      'identity.trade-account-reinstated',
    ]);
  });

  it('has the country that it names, or that its address does; else the administrator names it', async () => {
    const countryOf = async (id: string) =>
      (await identity.call('GET', `/v1/trade-accounts/${id}`, { as: admin })).body.trade.country;
    const named = await identity.applicant('named@one.example', { country: 'us' });
    expect(await countryOf(named)).toBe('US');
    expect(
      wrongFields(await identity.post('/v1/auth/trade/register', { ...trade('x@one.example'), country: 'Narnia' })),
    ).toEqual({ '/country': 'invalid_value' });

    const unknown = await identity.applicant('unknown@one.example', { businessAddress: '1 Mill Lane\nLondon' });
    expect(await countryOf(unknown)).toBeNull();
    expect(await review(unknown, 'approve', {})).toMatchObject({ status: 422, body: { code: 'country_required' } });
    expect(await review(unknown, 'approve', { country: 'GB' })).toMatchObject({
      status: 200,
      body: { status: 'approved', trade: { country: 'GB' } },
    });
  });

  it('has its country corrected by an administrator, which is published and audited', async () => {
    const email = 'moved@one.example';
    const id = await applicant(email);
    await review(id, 'approve', {});
    const change = (body: object, as = admin) => identity.call('PATCH', `/v1/trade-accounts/${id}`, { body, as });
    expect(wrongFields(await change({}))).toEqual({ '/country': 'required' });
    expect(await change({ country: 'IE' }, (await logIn(email)).body.accessToken)).toMatchObject({ status: 403 });
    expect(await change({ country: 'IE' })).toMatchObject({ status: 200, body: { trade: { country: 'IE' } } });
    await eventually(
      () => identity.eventsAbout(email, 'identity.trade-account-changed').length === 1,
      'the event about the country',
    );
    const [event] = identity.eventsAbout(email, 'identity.trade-account-changed');
    expect(event).toMatchObject({ subject: id, data: { isApproved: true, business: { country: 'IE' } } });
    await eventually(async () => {
      const { body } = await identity.call('GET', '/v1/audit?action=trade-account-changed', { as: admin });
      return body.data?.some((entry: any) => entry.object?.id === id && entry.details?.country === 'IE');
    }, 'the entry of the audit log');
  });

  it('applies again after it was rejected; the old application stays until the code is entered', async () => {
    const email = 'again@one.example';
    const id = await applicant(email);
    expect(await review(id, 'reject')).toMatchObject({ body: { status: 'rejected' } });
    expect(await logIn(email)).toMatchObject({ status: 403, body: { code: 'account_rejected' } });
    const again = { ...trade(email), businessName: 'Difference Engines', password: 'a third quiet morning' };
    const { registrationId } = (await identity.post('/v1/auth/trade/register', again)).body;
    const show = async () => (await identity.call('GET', `/v1/trade-accounts/${id}`, { as: admin })).body;
    expect(await show()).toMatchObject({ status: 'rejected', trade: { businessName: 'Analytical Engines' } });
    expect(await logIn(email)).toMatchObject({ status: 403, body: { code: 'account_rejected' } });

    const code = await identity.codeOfFlow(registrationId);
    const proved = await identity.post('/v1/auth/verify', { registrationId, code });
    expect(proved).toMatchObject({
      status: 200,
      body: { status: 'pending-approval', businessName: 'Difference Engines' },
    });
    expect(proved.headers.get('x-tokens-revoked')).toBe(`${id} 2`);
    const shown = await show();
    expect(shown).toMatchObject({ id, status: 'pending-approval', trade: { businessName: 'Difference Engines' } });
    expect(shown.trade.timeline.map(({ action }: any) => action)).toEqual([
      'submit',
      'verify-email',
      'reject',
      'submit',
      'verify-email',
    ]);
    expect((await logIn(email)).status).toBe(401);
    const by = { email, password: again.password };
    expect(await identity.post('/v1/auth/login', by)).toMatchObject({ body: { code: 'account_pending_approval' } });
  });

  it('can not be replaced by a stranger, who applies with its email', async () => {
    const email = 'victim@one.example';
    const id = await applicant(email);
    await review(id, 'request-info', { reason: 'Which company?' });
    const taken = { ...trade(email), businessName: 'Eve Ltd', password: 'the password of eve' };
    const { registrationId } = (await identity.post('/v1/auth/trade/register', taken)).body;
    await identity.post('/v1/auth/verify', { registrationId, code: '000000' });
    const shown = await identity.call('GET', `/v1/trade-accounts/${id}`, { as: admin });
    expect(shown.body).toMatchObject({ status: 'info-requested', trade: { businessName: 'Analytical Engines' } });
    expect((await logIn(email)).status).toBe(200);
    expect((await identity.post('/v1/auth/login', { email, password: taken.password })).status).toBe(401);
  });

  it('is requested to send more, logs in to a session for that alone, and submits the application again', async () => {
    const email = 'more@one.example';
    const id = await applicant(email);
    expect(await review(id, 'request-info', { reason: 'Which company?' })).toMatchObject({
      body: { status: 'info-requested' },
    });
    const { accessToken: as, refreshToken, user } = (await logIn(email)).body;
    expect(user).toMatchObject({ id, status: 'info-requested' });
    const limited = { status: 403, body: { code: 'session_limited' } };
    for (const path of ['/v1/users/me', '/v1/auth/sessions'])
      expect(await identity.call('GET', path, { as })).toMatchObject(limited);
    const submit = (body: object) => identity.post('/v1/trade-accounts/me/resubmit', body, as);
    expect(wrongFields(await submit({}))).toEqual({ '': 'invalid_value' });
    expect(await submit({ companyRegistration: '12345', note: 'It was new.' })).toMatchObject({
      status: 200,
      body: { status: 'pending-approval', trade: { companyRegistration: '12345', businessName: 'Analytical Engines' } },
    });
    expect(await submit({ companyRegistration: '1' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    await eventually(
      () => identity.eventsAbout(email, 'identity.trade-account-submitted').length === 2,
      'the notice to administrators',
    );
    const approved = await review(id, 'approve', {});
    expect(approved.body.trade.timeline[3]).toMatchObject({ action: 'resubmit', by: id, reason: 'It was new.' });
    // The same session becomes that of an approved account.
    const { body: next } = await identity.post('/v1/auth/refresh', { refreshToken });
    expect((await identity.call('GET', '/v1/users/me', { as: next.accessToken })).status).toBe(200);
  });

  it('lets an applicant who was requested to send more log out, and nobody else submit again', async () => {
    const email = 'out@one.example';
    await review(await applicant(email), 'request-info', { reason: 'Which company?' });
    const { accessToken: as } = (await logIn(email)).body;
    expect((await identity.post('/v1/auth/logout', undefined, as)).status).toBe(200);
    const { accessToken } = await identity.member('retail@one.example');
    const body = { note: 'Hello.' };
    expect((await identity.post('/v1/trade-accounts/me/resubmit', body, accessToken)).status).toBe(404);
    expect((await identity.post('/v1/trade-accounts/me/resubmit', body)).status).toBe(401);
  });

  it.each(['reject', 'request-info', 'suspend'])('needs a reason to %s', async (action) => {
    const answer = await review('user_01h455vb4pex5vsknk084sn02q', action, {});
    expect(answer.body.errors).toMatchObject([{ pointer: '/reason', code: 'required' }]);
  });

  it.each(['suspend', 'reinstate'])('refuses %s while it waits', async (action) => {
    const id = await applicant(`${action}@two.example`);
    expect(await review(id, action)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
  });

  it('is reviewed once by fifty requests at once', async () => {
    const id = await applicant('race@two.example');
    const answers = await times(50, (index) => review(id, index % 2 === 0 ? 'approve' : 'reject'));
    expect(outcomes(answers)).toEqual({ 200: 1, '409 invalid_transition': 49 });
  });

  it('is reviewed once under one Idempotency-Key, and only in the version that was read', async () => {
    const id = await applicant('etag@two.example');
    const stale = await review(id, 'approve', {}, { 'if-match': '"7"' });
    expect(stale).toMatchObject({ status: 412 });
    const { headers } = await identity.call('GET', `/v1/trade-accounts/${id}`, { as: admin });
    const given = { 'if-match': headers.get('etag') ?? '', 'idempotency-key': 'approve-once' };
    const [first, second] = [await review(id, 'approve', {}, given), await review(id, 'approve', {}, given)];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  it('is none where there is no such account, or it is a consumer', async () => {
    const { user } = await identity.member('consumer@two.example');
    for (const id of [user.id, 'user_01h455vb4pex5vsknk084sn02q', 'nonsense']) {
      expect((await review(id, 'approve', {})).status).toBe(404);
      expect((await identity.call('GET', `/v1/trade-accounts/${id}`, { as: admin })).status).toBe(404);
    }
  });
});

describe('GET /v1/trade-accounts', () => {
  it('lists by status, those submitted last first, page by page', async () => {
    await identity.collection('users').updateMany({ role: 'trade' }, { $set: { status: 'approved' } });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift(await applicant(`${name}@three.example`));
    const list = (query: string) => identity.call('GET', `/v1/trade-accounts?${query}`, { as: admin });
    const first = await list('status=pending-approval&limit=2');
    expect(first.body.data.map(({ id }: any) => id)).toEqual(ids.slice(0, 2));
    const second = await list(`status=pending-approval&limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ data: [{ id: ids[2] }], nextCursor: null });
    expect((await list('limit=1')).body.data).toMatchObject([{ id: ids[0] }]);
    expect(await list(`status=approved&cursor=${first.body.nextCursor}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
    expect((await list('status=nonsense')).status).toBe(400);
  });

  it('shows applications that nobody has proved only on request, and takes no decision on them', async () => {
    const email = 'unproved@three.example';
    await identity.post('/v1/auth/trade/register', { ...trade(email), businessName: 'Unproved' });
    const list = async (query: string) =>
      (await identity.call('GET', `/v1/trade-accounts?limit=100&${query}`, { as: admin })).body.data;
    const isIt = (account: any) => account.email === email;
    expect((await list('')).filter(isIt)).toEqual([]);
    const shown = (await list('proved=false')).find(isIt);
    expect(shown).toMatchObject({ status: 'unverified', emailVerifiedAt: null, trade: { timeline: [] } });
    expect((await review(shown.id, 'approve', {})).status).toBe(404);
    expect(await identity.call('GET', '/v1/trade-accounts?proved=maybe', { as: admin })).toMatchObject({ status: 400 });
  });

  it('and everything about trade accounts is for administrators', async () => {
    const { accessToken } = await identity.member('curious@three.example');
    for (const [method, path] of [
      ['GET', '/v1/trade-accounts'],
      ['GET', '/v1/trade-accounts/user_01h455vb4pex5vsknk084sn02q'],
      ...['approve', 'reject', 'request-info', 'suspend', 'reinstate'].map((action) => [
        'POST',
        `/v1/trade-accounts/user_01h455vb4pex5vsknk084sn02q/${action}`,
      ]),
    ] as [string, string][]) {
      const body = method === 'POST' ? { reason: 'x' } : undefined;
      expect((await identity.call(method, path, { body })).status).toBe(401);
      expect((await identity.call(method, path, { body, as: accessToken })).status).toBe(403);
    }
  });
});
