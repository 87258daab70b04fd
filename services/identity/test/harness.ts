import { hash } from 'node:crypto';
import type { Caller } from '@storefront/access-token';
import {
  identityEvents,
  userDataEvents,
  userDataKeepers,
  type Event,
  type UserDataKeeper,
} from '@storefront/contracts';
import {
  eventually,
  newEvent,
  startService,
  type Answer,
  type HarnessOptions,
  type Instance,
  type InstanceOptions,
} from '@storefront/testing';
import { compactDecrypt, decodeJwt } from 'jose';
import { collections, service } from '../src/service.ts';

interface CallOptions {
  readonly body?: unknown;
  /** An access token, as a client would send it to the gateway. */
  readonly as?: string;
  readonly headers?: Record<string, string>;
}

export type IdentityHarness = Awaited<ReturnType<typeof startIdentity>>;

/** The service, called with access tokens as a client would send them; on the in-process bus unless `bus` says otherwise. */
export async function startIdentity(settings: Record<string, string> = {}, bus: HarnessOptions['bus'] = 'in-process') {
  const contracts = Object.values(identityEvents);
  const harness = await startService(service, { settings, bus, contracts, definitions: collections });

  function callAt(instance: Pick<Instance, 'call'>) {
    return (method: string, path: string, { body, as, headers }: CallOptions = {}): Promise<Answer> => {
      const caller = as ? (decodeJwt(as) as unknown as Caller) : null;
      const device = { 'x-client-ip': ownAddress, 'user-agent': 'test device' };
      return instance.call(caller, method, path, body, { ...device, ...headers });
    };
  }
  const call = callAt(harness);
  const post = (path: string, body?: unknown, as?: string) => call('POST', path, { body, ...(as ? { as } : {}) });
  const eventsAbout = (email: string, type?: string) =>
    harness.events.filter((event) => event.data.email === email && (!type || event.type === type));

  /** The digits of the newest code that was sent to the email. */
  async function codeOf(email: string, count = 1, type?: string): Promise<string> {
    const sent = await eventually(() => {
      const found = eventsAbout(email, type).filter((event) => event.data.sealedCode);
      return found.length >= count ? found.at(-1) : null;
    }, `code ${count} for ${email}`);
    return digitsIn(sent);
  }

  /** What the event carries encrypted. */
  async function opened(event: Event<any>): Promise<{ code: string | null; link: string | null }> {
    const sealingKey = Buffer.from(harness.settings['CODE_SEALING_KEY'] ?? '', 'base64url');
    const { plaintext } = await compactDecrypt(event.data.sealedCode, sealingKey);
    return JSON.parse(new TextDecoder().decode(plaintext));
  }

  /** The code that the event carries encrypted. */
  const digitsIn = async (event: Event<any>): Promise<string> => (await opened(event)).code ?? '';

  /** A registration that waits for its code. */
  async function registered(email: string, person: object = {}, headers: Record<string, string> = {}) {
    const body = { email, password, firstName: 'Ada', lastName: 'Lovelace', ...person };
    const answer = await call('POST', '/v1/auth/register', { body, headers });
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
    const { registrationId } = answer.body as { registrationId: string };
    const code = await codeOfFlow(registrationId);
    return { email, registrationId, code, proof: { registrationId, code } };
  }

  /** The digits of the newest code that was sent for the registration. */
  async function codeOfFlow(registrationId: string, count = 1): Promise<string> {
    const subject = hash('sha256', registrationId, 'base64url');
    const sent = await eventually(() => {
      const found = harness.events.filter((event) => event.subject === subject && event.data.sealedCode);
      return found.length >= count ? found.at(-1) : null;
    }, `code ${count} of the registration`);
    return digitsIn(sent);
  }

  /** A recovery that was requested, with its digits and the code of its link. */
  async function recovery(email: string, headers: Record<string, string> = {}) {
    const before = eventsAbout(email, 'identity.password-reset-requested').length;
    const answer = await call('POST', '/v1/auth/password/forgot', { body: { email }, headers });
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
    const sent = await eventually(
      () => eventsAbout(email, 'identity.password-reset-requested')[before],
      `the mail to recover ${email}`,
    );
    const { code, link } = await opened(sent);
    return { recoveryId: answer.body.recoveryId as string, code: code ?? '', link: link ?? '' };
  }

  /** A consumer who is logged in. */
  async function member(email: string) {
    const answer = await post('/v1/auth/verify', (await registered(email)).proof);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return { email, ...(answer.body as { accessToken: string; refreshToken: string; user: { id: string } }) };
  }

  /** A business that has applied and proved its email; returns its id. */
  async function applicant(email: string, details: object = {}): Promise<string> {
    const answer = await post('/v1/auth/trade/register', { ...trade(email), ...details });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    const { registrationId } = answer.body as { registrationId: string };
    const verified = await post('/v1/auth/verify', { registrationId, code: await codeOfFlow(registrationId) });
    if (verified.status !== 200) throw new Error(JSON.stringify(verified.body));
    return (await harness.collection('emails').findOne({ _id: email })).userId;
  }

  return {
    ...harness,
    call,
    post,
    /** Another instance of the service on the same database; returns how to call it. It ends with the harness. */
    another: async (options: InstanceOptions = {}) => callAt(await harness.another(options)),
    eventsAbout,
    codeOf,
    codeOfFlow,
    digitsIn,
    opened,
    registered,
    recovery,
    member,
    applicant,
  };
}

/** The address of the caller where a test names no other. */
const ownAddress = '192.0.2.7';
export const password = 'a quiet lake in the morning';

export const trade = (email: string, changes: object = {}) => ({
  email,
  password,
  firstName: 'Charles',
  lastName: 'Babbage',
  phone: '+44 20 7946 0000',
  businessName: 'Analytical Engines',
  businessAddress: '1 Mill Lane\nLondon\nUnited Kingdom',
  ...changes,
});

/** A code that is not this one. */
export function otherThan(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

/** What the services publish when they have erased the user. */
export function erasedBy(userId: string, keepers: readonly UserDataKeeper[] = userDataKeepers): Event[] {
  return keepers.map((keeper) => newEvent(userDataEvents[keeper].erased, userId, { requestId: 'evt_1' }));
}

/** What the services publish for an export. */
export function exportedBy(
  userId: string,
  exportId: string,
  keepers: readonly UserDataKeeper[] = userDataKeepers,
): Event[] {
  return keepers.map((keeper) =>
    newEvent(userDataEvents[keeper].exported, userId, { exportId, data: { from: keeper } }),
  );
}
