import { setTimeout as wait } from 'node:timers/promises';
import type { VerifiedAccess } from '@storefront/access-token';
import { commonErrors, type OperationSpec } from '@storefront/contracts';
import { networkOf } from '@storefront/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from '../client-address.ts';
import { windowMs, type SharedCounts } from './shared-counts.ts';
import { createUnderWay } from './under-way.ts';

export interface Budgets {
  /** Requests a minute. */
  readonly ip: number;
  readonly user: number;
  readonly auth: number;
  readonly refresh: number;
  readonly callbacks: number;
  /** Requests and streams of one user at once. */
  readonly underWay: number;
  readonly streams: number;
}

/** Both count a request, set the `RateLimit` headers and throw 429 where a budget is used up. */
export interface Limits {
  /** An anonymous request. */
  countAnonymous(request: FastifyRequest, reply: FastifyReply, budget: OperationSpec['budget']): void;
  /** A request with a genuine token. Resolves later where the request has to wait for its turn. */
  countUser(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: OperationSpec,
    caller: VerifiedAccess,
  ): Promise<void> | undefined;
}

/** A budget as the `RateLimit` headers name it. */
type Name = 'ip' | 'user' | 'auth' | 'refresh' | 'callbacks';

const endingWaitsMs = 1000;

/**
 * Each caller has budgets of its own: a user is known by the token and counted wherever the request comes from; everybody
 * else is counted by the address. So nobody uses up the budget of another user.
 */
export function createLimits(counts: SharedCounts, budgets: Budgets): Limits {
  const underWay = createUnderWay();

  /** Counts the request. Where there is no room, returns after how many seconds there is. */
  function take(reply: FastifyReply, name: Name, key: string, caller: string): number | undefined {
    const max = budgets[name];
    const { isTaken, remaining, moreInMs } = counts.take(key, caller, max);
    const seconds = Math.max(1, Math.ceil(moreInMs / 1000));
    append(reply, 'ratelimit-policy', `"${name}";q=${max};w=${windowMs / 1000}`);
    append(reply, 'ratelimit', `"${name}";r=${remaining};t=${seconds}`);
    return isTaken ? undefined : seconds;
  }

  function takeOrThrow(reply: FastifyReply, name: Name, key: string, caller: string): void {
    const retryAfterSeconds = take(reply, name, key, caller);
    if (retryAfterSeconds !== undefined) throw commonErrors.rateLimited().with({ retryAfterSeconds });
  }

  return {
    countAnonymous(request, reply, budget) {
      const network = networkOf(clientAddress(request));
      // A client that uses up the other budgets does not stop token refreshes or provider callbacks from the same address.
      if (budget !== 'refresh' && budget !== 'callbacks') takeOrThrow(reply, 'ip', 'ip', network);
      if (budget !== undefined && budget !== 'ending') takeOrThrow(reply, budget, budget, network);
    },
    countUser(request, reply, operation, { sub, sid }) {
      const { budget, access, stream } = operation;
      if (budget === 'ending') {
        // By session, so that another session of the same user takes no room from this one.
        if (!underWay.enter(`ending ${sid}`, budgets.underWay, reply.raw)) throw commonErrors.overloaded();
        return take(reply, 'user', 'user', sub) === undefined ? undefined : wait(endingWaitsMs);
      }
      takeOrThrow(reply, 'user', 'user', sub);
      // A token does not renew the budget of guesses at the passwords and codes of others.
      if (budget !== undefined && access === 'public')
        takeOrThrow(reply, budget, budget, networkOf(clientAddress(request)));
      else if (budget !== undefined) takeOrThrow(reply, budget, `${budget} of user`, sub);
      const [kind, max] = stream ? ['stream', budgets.streams] : ['request', budgets.underWay];
      if (!underWay.enter(`${kind} ${sub}`, max, reply.raw)) throw commonErrors.tooManyAtOnce();
      return undefined;
    },
  };
}

function append(reply: FastifyReply, name: string, value: string): void {
  const before = reply.getHeader(name);
  void reply.header(name, before === undefined ? value : `${String(before)}, ${value}`);
}
