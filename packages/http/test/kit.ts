import {
  createInternalTokenIssuer,
  createInternalTokenVerifier,
  newInternalKeyPair,
  type Principal,
} from '@storefront/access-token';
import { createLogger, createMetrics } from '@storefront/process';
import { createServer, type Server, type ToRefusal } from '../src/index.ts';

const { privateJwk, publicJwk } = await newInternalKeyPair();
const issuer = createInternalTokenIssuer(privateJwk);

/** A server that listens to nothing: requests are injected. */
export function newServer(options: { toRefusal?: ToRefusal } = {}): Server {
  return createServer({
    name: 'kit',
    logger: createLogger('kit', 'silent'),
    metrics: createMetrics('kit'),
    tokens: createInternalTokenVerifier(publicJwk, 'kit'),
    readiness: {},
    ...options,
  });
}

/** The header of a request that the gateway sends for a program whose API token has these scopes. */
export async function tokenOfProgram(scopes: readonly string[]): Promise<Record<string, string>> {
  const sub = `apit_${scopes.join()}`;
  return { 'x-internal-token': await issuer.issue('kit', { sub, sid: sub, ver: 1, role: 'program', scopes }) };
}

/** The header of a request that the gateway sends for a user of that role, or for nobody known. */
export async function tokenOf(role: Principal['role'] | null): Promise<Record<string, string>> {
  const caller = role && { sub: 'user_1', role, sid: 's', ver: 1 };
  return { 'x-internal-token': await issuer.issue('kit', caller) };
}
