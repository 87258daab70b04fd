import { http, notFound, type identityHttp, type identityOperations } from '@storefront/contracts';
import { actorOf, ifMatch, sendVersioned, type Cursors, type Handlers, type RequestOf } from '@storefront/http';
import type { Loaded } from '@storefront/mongo';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { summaryOf, type FactorName, type FactorsArea } from '../../factors/factors.ts';
import type { SessionsArea } from '../../sessions/sessions.ts';
import { logAdministratorOut, reviewAdministrator, type AdministratorNeeds } from '../commands/review-administrator.ts';
import { assertAdministrator } from '../domain/administrator.ts';
import type { User } from '../../domain/user.ts';
import type { Administrators } from '../store/administrators.ts';
import { setRevokedHeader } from '../../routes/headers.ts';
import type { CallerSession } from '../../domain/caller.ts';
import { showFactors } from './show-factors.ts';

interface Parts extends Omit<AdministratorNeeds, 'administrators' | 'sessions'> {
  readonly administrators: Administrators;
  readonly sessions: Pick<SessionsArea, 'inUse' | 'removeBelow'>;
  readonly factors: FactorsArea;
  readonly cursors: Cursors;
}
type IdentityOperations = typeof identityOperations;
type ReviewOperation = 'disableAdministrator' | 'enableAdministrator';
/** A request about an administrator. */
interface OfAdministrator {
  readonly caller: CallerSession;
  readonly params: { readonly id: string };
}
type Shown = z.infer<typeof identityHttp.administrator>;

export function administratorHandlers(
  parts: Parts,
): Pick<
  Handlers<IdentityOperations>,
  | 'listAdministrators'
  | 'getAdministrator'
  | ReviewOperation
  | 'endAdministratorSessions'
  | 'removeAdministratorTotp'
  | 'removeAdministratorPasskey'
> {
  const { users, administrators, cursors } = parts;

  async function load(id: string): Promise<Loaded<User>> {
    const found = await users.load(id);
    assertAdministrator(found?.state ?? null);
    return found as Loaded<User>;
  }

  async function show(request: FastifyRequest, id: string, reply: FastifyReply) {
    const { state, version } = await load(id);
    return sendVersioned(request, reply, version, await showAdministrator(parts, state));
  }

  /**
   * Requires a fresh second factor of the caller. Throws `not_found` before that, where there is no such administrator.
   */
  async function prove({ caller, params }: OfAdministrator): Promise<void> {
    await load(params.id);
    await parts.factors.requireFreshSecondFactor(caller);
  }

  const review = (action: 'disable' | 'enable') => ({
    async handle(request: RequestOf<IdentityOperations[ReviewOperation]>, reply: FastifyReply) {
      const { params, body } = request;
      const assertVersion = ifMatch(request);
      assertVersion((await load(params.id)).version);
      await prove(request);
      const input = { userId: params.id, action, actor: actorOf(request), reason: body.reason ?? null };
      const { user, version, revocation } = await reviewAdministrator(parts, input, assertVersion);
      if (revocation) setRevokedHeader(reply, revocation);
      return sendVersioned(request, reply, version, await showAdministrator(parts, user));
    },
    // A repeated request is answered with the present state, since devices and factors may have changed.
    again: (request: RequestOf<IdentityOperations[ReviewOperation]>, reply: FastifyReply) =>
      show(request, request.params.id, reply),
  });

  async function removeFactor(request: FastifyRequest & OfAdministrator, factor: FactorName): Promise<null> {
    await prove(request);
    await parts.factors.removeLost((await load(request.params.id)).state, factor, actorOf(request));
    return null;
  }

  return {
    listAdministrators: ({ query }) =>
      cursors.page(
        { list: 'administrators', owner: '', query },
        async (slice) => {
          const { items, next } = await administrators.page(slice);
          return {
            items: await showAdministrators(
              parts,
              items.map(({ state }) => state),
            ),
            next,
          };
        },
        (shown) => shown,
      ),

    getAdministrator: (request, reply) => show(request, request.params.id, reply),

    disableAdministrator: review('disable'),
    enableAdministrator: review('enable'),

    async endAdministratorSessions(request, reply) {
      await prove(request);
      setRevokedHeader(reply, await logAdministratorOut(parts, request.params.id, actorOf(request)));
      return null;
    },

    removeAdministratorTotp: (request) => removeFactor(request, 'totp'),
    async removeAdministratorPasskey(request) {
      const { id, passkeyId } = request.params;
      const { passkeys } = await parts.factors.summaryOf(id);
      if (!passkeys.some((passkey) => passkey.id === passkeyId)) throw notFound('passkey');
      return removeFactor(request, { passkey: passkeyId });
    },
  };
}

type ShowNeeds = Pick<Parts, 'factors' | 'sessions' | 'now'>;

async function showAdministrator(needs: ShowNeeds, user: User): Promise<Shown> {
  const [shown] = await showAdministrators(needs, [user]);
  return shown as Shown;
}

async function showAdministrators(needs: ShowNeeds, found: readonly User[]): Promise<Shown[]> {
  const [inUse, factors] = await Promise.all([
    needs.sessions.inUse(
      found.map(({ id, tokenVersion }) => ({ id, ver: tokenVersion })),
      needs.now(),
    ),
    Promise.all(found.map(({ id }) => needs.factors.summaryOf(id))),
  ]);
  return found.map((user, place) => {
    const summary = factors[place] ?? summaryOf(null);
    const used = inUse.get(user.id);
    return {
      id: user.id,
      email: http.emailAsTyped(user),
      firstName: user.firstName,
      lastName: user.lastName,
      status: user.status === 'active' ? 'enabled' : 'disabled',
      ...showFactors(summary),
      sessions: used?.count ?? 0,
      lastSeenAt: used?.lastUsedAt.toISOString() ?? null,
      createdAt: user.createdAt.toISOString(),
    };
  });
}
