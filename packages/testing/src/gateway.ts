import { createInternalTokenIssuer, newInternalKeyPair } from '@storefront/access-token';
import type { Caller, Principal } from '@storefront/access-token';
import { newId } from '@storefront/contracts';

/** What a service answered. The body is JSON where the service says so, else text; null where there is none. */
export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** What a service sees of the gateway. */
export interface GatewayStandIn {
  /** Whose word the service has to take. */
  readonly publicJwk: { kty: string; crv: string; x: string };
  /** What says on whose behalf a request comes. */
  readonly headersFor: (who: Caller) => Promise<Record<string, string>>;
  /** Sends `body` as JSON. */
  call<Body = any>(
    who: Caller,
    method: string,
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer<Body>>;
}

/** Stands in for the gateway in front of one service, with a key of its own. */
export async function standInForGateway(service: string, now?: () => Date): Promise<GatewayStandIn> {
  const { privateJwk, publicJwk } = await newInternalKeyPair();
  const tokens = createInternalTokenIssuer(privateJwk, now);
  const headersFor = async (who: Caller) => ({ 'x-internal-token': await tokens.issue(service, who) });
  return {
    publicJwk: publicJwk as GatewayStandIn['publicJwk'],
    headersFor,
    async call(who, method, url, body, headers) {
      const answer = await fetch(url, {
        method,
        headers: {
          ...(await headersFor(who)),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json');
      const read = isJson ? JSON.parse(text) : text === '' ? null : text;
      return { status: answer.status, headers: answer.headers, body: read };
    },
  };
}

/** Somebody who is logged in. */
export function principal(role: Principal['role'], id: string = newId('user')): Principal {
  return { sub: id, role, sid: 'sess_test', ver: 1 };
}

/** How many of the answers had which status. */
export function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Makes so many at once. */
export function times<Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}
