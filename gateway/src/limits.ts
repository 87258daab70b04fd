import rateLimit from '@fastify/rate-limit';
import { commonErrors } from '@storefront/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface Budgets {
  /** Requests a minute. */
  readonly ip: number;
  readonly user: number;
  readonly auth: number;
}

/** Counts a request and sets the `RateLimit` headers; throws 429 where its budget is used up. */
type Limit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface Limits {
  /** By the client's address, before any other work for the request. `budget` is a smaller one that counts as well. */
  readonly byAddress: (request: FastifyRequest, reply: FastifyReply, budget: 'auth' | undefined) => Promise<void>;
  /** By the user, once the caller is known. */
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
      if (counted.isExceeded) throw commonErrors.rateLimited().with({ retryAfterSeconds: counted.ttlInSeconds });
    };
  };
  const ip = limiter('ip');
  const auth = limiter('auth');
  const user = limiter('user', (request) => request.access?.sub ?? '');
  return {
    async byAddress(request, reply, budget) {
      await ip(request, reply);
      if (budget === 'auth') await auth(request, reply);
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
