import { createInternalTokenIssuer, newInternalKeyPair, type Caller, type Principal } from '@storefront/access-token';
import { newId } from '@storefront/contracts';
import type { Answer } from './answers.ts';

/** The gateway from a service's view: its key, and requests with its internal token. */
export interface FakeGateway {
  /** The service under test must be configured to trust this key (`INTERNAL_TOKEN_PUBLIC_KEY`). */
  readonly publicJwk: { kty: string; crv: string; x: string };
  /** Returns the header that names the caller: a user, or null for an anonymous request. */
  readonly headersFor: (who: Caller) => Promise<Record<string, string>>;
  /** Sends a request on behalf of `who`, with `body` as JSON if it is given. */
  call<Body = any>(
    who: Caller,
    method: string,
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer<Body>>;
}

/** Creates a gateway for one service, with its own key. `now` is the time of its tokens. */
export async function createFakeGateway(service: string, now?: () => Date): Promise<FakeGateway> {
  const { privateJwk, publicJwk } = await newInternalKeyPair();
  const tokens = createInternalTokenIssuer(privateJwk, now);
  const headersFor = async (who: Caller) => ({ 'x-internal-token': await tokens.issue(service, who) });
  return {
    publicJwk: publicJwk as FakeGateway['publicJwk'],
    headersFor,
    async call(who, method, url, body, headers) {
      const response = await fetch(url, {
        method,
        headers: {
          ...(await headersFor(who)),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
      const read = isJson ? JSON.parse(text) : text === '' ? null : text;
      return { status: response.status, headers: response.headers, body: read };
    },
  };
}

/** An anonymous caller. */
export const anonymous = null;

/** A logged-in user. */
export function principal(role: Principal['role'], id: string = newId('user')): Principal {
  return { sub: id, role, sid: 'sess_test', ver: 1 };
}
