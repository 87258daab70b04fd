import rateLimit from '@fastify/rate-limit';
import { tooMany } from '@storefront/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface Budgets {
  /** Requests a minute. */
  readonly ip: number;
  readonly user: number;
  readonly auth: number;
}

/** Counts a request and writes how much is left; throws 429 where nothing is. */
export type Limit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface Limits {
  /** By the client's address, before anything else is done for the request. */
  readonly byAddress: Limit;
  /** By the user, once it is known who is calling. */
  readonly byUser: Limit;
}

const windowMs = 60_000;
// How many callers are remembered at once, each about 100 bytes.
const remembered = 50_000;

/** Budgets in this gateway's memory: with several gateways, each grants its own. */
export async function createLimits(app: FastifyInstance, budgets: Budgets): Promise<Limits> {
  await app.register(rateLimit, { global: false });
  const limiter = (name: keyof Budgets, key?: (request: FastifyRequest) => string): Limit => {
    const max = budgets[name];
    const policy = `"${name}";q=${max};w=${windowMs / 1000}`;
    const options = { max, timeWindow: windowMs, cache: remembered, ...(key ? { keyGenerator: key } : {}) };
    const count = app.createRateLimit(options);
    return async (request, reply) => {
      const counted = await count(request);
      if (counted.isAllowed) return;
      append(reply, 'ratelimit-policy', policy);
      append(reply, 'ratelimit', `"${name}";r=${counted.remaining};t=${counted.ttlInSeconds}`);
      if (counted.isExceeded)
        throw tooMany('rate_limited', 'Too many requests: wait before the next one.', counted.ttlInSeconds);
    };
  };
  const ip = limiter('ip');
  const auth = limiter('auth');
  const user = limiter('user', (request) => request.access?.sub ?? '');
  return {
    async byAddress(request, reply) {
      await ip(request, reply);
      if (request.publicRoute?.budget === 'auth') await auth(request, reply);
    },
    async byUser(request, reply) {
      if (request.access) await user(request, reply);
    },
  };
}

function append(reply: FastifyReply, name: string, value: string): void {
  const before = reply.getHeader(name);
  void reply.header(name, before === undefined ? value : `${String(before)}, ${value}`);
}
