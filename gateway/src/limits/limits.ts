import { setTimeout as wait } from 'node:timers/promises';
import { commonErrors, type OperationSpec } from '@storefront/contracts';
import { networkOf } from '@storefront/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VerifiedCaller } from '../access/verified-caller.ts';
import { clientAddress } from '../client-address.ts';
import { windowMs, type SharedCounts } from './shared-counts.ts';
import { createUnderWay } from './under-way.ts';

export interface Budgets {
  /** The budgets from `ip` to `callbacks` are requests per minute. */
  readonly ip: number;
  readonly user: number;
  readonly auth: number;
  readonly refresh: number;
  readonly callbacks: number;
  /** How many requests, and how many streams, one user may have at once. */
  readonly underWay: number;
  readonly streams: number;
}

/** Both functions count a request and set the `RateLimit` headers. They throw 429 when a budget is used up. */
export interface Limits {
  /** Counts an anonymous request. */
  countAnonymous(request: FastifyRequest, reply: FastifyReply, budget: OperationSpec['budget']): void;
  /**
   * Counts a request with a genuine token. A logout beyond the user's budget is not refused: its promise resolves a
   * second later. Throws 503 for too many logouts of one session at once.
   */
  countUser(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: OperationSpec,
    caller: VerifiedCaller,
  ): Promise<void> | undefined;
}

/** The name of a budget in the `RateLimit` headers. */
type Name = 'ip' | 'user' | 'auth' | 'refresh' | 'callbacks';

const endingWaitsMs = 1000;

/**
 * Each caller has separate budgets, so nobody can use up the budget of another user. A user is known by the token, so
 * the address does not matter; an anonymous caller is counted by address.
 */
export function createLimits(counts: SharedCounts, budgets: Budgets): Limits {
  const underWay = createUnderWay();

  /** Counts the request. If the budget is used up, returns the number of seconds until it has room again. */
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
      // A client that uses up its address's other budgets must not block token refreshes or provider callbacks from the
      // same address.
      if (budget !== 'refresh' && budget !== 'callbacks') takeOrThrow(reply, 'ip', 'ip', network);
      if (budget !== undefined && budget !== 'ending') takeOrThrow(reply, budget, budget, network);
    },
    countUser(request, reply, operation, { sub, sid }) {
      const { budget, access, stream } = operation;
      if (budget === 'ending') {
        // Counted by session, so that one session of a user can't block the logout of another session.
        if (!underWay.enter(`ending ${sid}`, budgets.underWay, reply.raw)) throw commonErrors.overloaded();
        return take(reply, 'user', 'user', sub) === undefined ? undefined : wait(endingWaitsMs);
      }
      takeOrThrow(reply, 'user', 'user', sub);
      // Counted by address even with a token: otherwise every new account would bring a new budget for guessing
      // passwords and codes of others.
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
