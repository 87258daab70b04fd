import {
  createAccessTokenSigner,
  newSigningKey,
  publicPart,
  type AccessClaims,
  type SigningKey,
} from '@storefront/access-token';
import { newId } from '@storefront/contracts';
import { fastify, type FastifyInstance } from 'fastify';

export interface FakeIdentity {
  readonly url: string;
  /** The lowest valid token version of each user, for the snapshot and the state of a token. */
  readonly users: Map<string, number>;
  readonly endedSessions: Set<string>;
  /** What is answered about an API token, by the hash of the token. */
  readonly apiTokens: Map<string, { id: string; scopes: string[]; expiresAt: string }>;
  /** The paths under `/internal/` that were requested. */
  readonly asked: string[];
  /** All requests to public routes. */
  readonly reached: { method: string; url: string; headers: Record<string, unknown>; body: unknown }[];
  readonly key: SigningKey;
  sign(
    claims?: Partial<AccessClaims>,
    options?: { key?: SigningKey; audience?: string; lifetime?: number },
  ): Promise<string>;
  /** Stops listening, and listens again on the same port. */
  stop(): Promise<void>;
  again(): Promise<void>;
}

export const someone = (claims: Partial<AccessClaims> = {}): AccessClaims => ({
  sub: newId('user'),
  role: 'retail',
  sid: newId('sess'),
  ver: 1,
  ...claims,
});

/** Identity as a gateway sees it, over real HTTP. `routes` adds routes of its own. */
export async function startFakeIdentity(routes?: (app: FastifyInstance) => void): Promise<FakeIdentity> {
  const key = await newSigningKey();
  const users = new Map<string, number>();
  const endedSessions = new Set<string>();
  const apiTokens: FakeIdentity['apiTokens'] = new Map();
  const asked: string[] = [];
  const reached: FakeIdentity['reached'] = [];
  const build = () => {
    const app = fastify({ forceCloseConnections: true, keepAliveTimeout: 72_000 });
    app.addHook('onRequest', async (request, reply) => {
      void reply.header('x-request-id', request.headers['x-request-id'] ?? 'none-given');
      if (request.headers['x-internal-token'] === undefined) await reply.code(403).send();
      if (request.url.startsWith('/internal/')) asked.push(request.url);
    });
    app.get('/livez', () => ({ status: 'ok' }));
    app.get('/.well-known/jwks.json', () => ({ keys: [publicPart(key)] }));
    app.get('/internal/revocations', () => ({
      users: [...users].map(([id, ver]) => ({ id, ver })),
      sessions: [...endedSessions].map((id) => ({ id, until: new Date(Date.now() + 60_000).toISOString() })),
      asOf: new Date().toISOString(),
    }));
    app.get<{ Params: { user: string; session: string } }>('/internal/token-state/:user/:session', (request) => ({
      ver: users.get(request.params.user) ?? 1,
      sessionAlive: !endedSessions.has(request.params.session),
      status: 'active',
    }));
    app.get<{ Params: { hash: string } }>('/internal/api-tokens/:hash', (request, reply) => {
      const found = apiTokens.get(request.params.hash);
      return found ?? reply.code(404).send({ code: 'not_found' });
    });
    app.post<{ Body: { sub: string; sid?: string } }>('/v1/auth/logout', (request, reply) => {
      const { sub, sid } = request.body;
      if (sid) endedSessions.add(sid);
      else users.set(sub, 2);
      void reply.header('x-tokens-revoked', sid ? `${sub} 1 ${sid}` : `${sub} 2`);
      return { revoked: true, revokedAt: new Date().toISOString() };
    });
    routes?.(app);
    app.all('/*', (request) => {
      const { method, url, headers, body } = request;
      reached.push({ method, url, headers, body });
      return { method, url, headers };
    });
    return app;
  };
  let app = build();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const signer = (signingKey: SigningKey, audience: string) =>
    createAccessTokenSigner(
      { issuer: 'storefront', audience },
      () => signingKey,
      () => new Date(),
    );
  return {
    url,
    users,
    endedSessions,
    apiTokens,
    asked,
    reached,
    key,
    sign: (claims, options = {}) =>
      signer(options.key ?? key, options.audience ?? 'storefront-api').sign(someone(claims), options.lifetime ?? 900),
    stop: () => app.close(),
    async again() {
      app = build();
      await app.listen({ host: '127.0.0.1', port: Number(new URL(url).port) });
    },
  };
}
