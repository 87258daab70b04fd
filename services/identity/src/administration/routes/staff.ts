import { http, notFound, type identityHttp, type identityOperations, type StaffRole } from '@storefront/contracts';
import { actorOf, ifMatch, sendVersioned, type Cursors, type Handlers, type RequestOf } from '@storefront/http';
import type { Loaded } from '@storefront/mongo';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { summaryOf, type FactorName, type FactorsArea } from '../../factors/factors.ts';
import type { SessionsArea } from '../../sessions/sessions.ts';
import { changeRole, logStaffOut, reviewStaff, type StaffNeeds } from '../commands/review-staff.ts';
import { assertStaff } from '../domain/staff-member.ts';
import type { User } from '../../domain/user.ts';
import type { Staff } from '../store/staff.ts';
import { setRevokedHeader } from '../../routes/headers.ts';
import type { CallerSession } from '../../domain/caller.ts';
import { showUser } from '../../routes/show-user.ts';
import { showFactors } from './show-factors.ts';

interface Parts extends Omit<StaffNeeds, 'staff' | 'sessions'> {
  readonly staff: Staff;
  readonly sessions: Pick<SessionsArea, 'inUse' | 'removeBelow'>;
  readonly factors: FactorsArea;
  readonly cursors: Cursors;
}
type IdentityOperations = typeof identityOperations;
type ReviewOperation = 'disableStaffMember' | 'enableStaffMember';
/** A request about a member of the staff. */
interface OfMember {
  readonly caller: CallerSession;
  readonly params: { readonly id: string };
}
type Shown = z.infer<typeof identityHttp.staffMember>;

export function staffHandlers(
  parts: Parts,
): Pick<
  Handlers<IdentityOperations>,
  | 'listStaff'
  | 'getStaffMember'
  | ReviewOperation
  | 'endStaffSessions'
  | 'removeStaffTotp'
  | 'removeStaffPasskey'
  | 'changeRole'
> {
  const { users, staff, cursors } = parts;

  async function load(id: string): Promise<Loaded<User>> {
    const found = await users.load(id);
    assertStaff(found?.state ?? null);
    return found as Loaded<User>;
  }

  async function show(request: FastifyRequest, id: string, reply: FastifyReply) {
    const { state, version } = await load(id);
    return sendVersioned(request, reply, version, await showMember(parts, state));
  }

  /**
   * Requires a fresh second factor of the caller. Throws `not_found` before that, where there is no such member.
   */
  async function prove({ caller, params }: OfMember): Promise<void> {
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
      const { user, version, revocation } = await reviewStaff(parts, input, assertVersion);
      if (revocation) setRevokedHeader(reply, revocation);
      return sendVersioned(request, reply, version, await showMember(parts, user));
    },
    // A repeated request is answered with the present state, since devices and factors may have changed.
    again: (request: RequestOf<IdentityOperations[ReviewOperation]>, reply: FastifyReply) =>
      show(request, request.params.id, reply),
  });

  async function removeFactor(request: FastifyRequest & OfMember, factor: FactorName): Promise<null> {
    await prove(request);
    await parts.factors.removeLost((await load(request.params.id)).state, factor, actorOf(request));
    return null;
  }

  return {
    listStaff: ({ query }) =>
      cursors.page(
        { list: 'staff', owner: '', query },
        async (slice) => {
          const { items, next } = await staff.page(slice);
          return {
            items: await showMembers(
              parts,
              items.map(({ state }) => state),
            ),
            next,
          };
        },
        (shown) => shown,
      ),

    getStaffMember: (request, reply) => show(request, request.params.id, reply),

    disableStaffMember: review('disable'),
    enableStaffMember: review('enable'),

    async endStaffSessions(request, reply) {
      await prove(request);
      setRevokedHeader(reply, await logStaffOut(parts, request.params.id, actorOf(request)));
      return null;
    },

    removeStaffTotp: (request) => removeFactor(request, 'totp'),
    async removeStaffPasskey(request) {
      const { id, passkeyId } = request.params;
      const { passkeys } = await parts.factors.summaryOf(id);
      if (!passkeys.some((passkey) => passkey.id === passkeyId)) throw notFound('passkey');
      return removeFactor(request, { passkey: passkeyId });
    },

    async changeRole(request, reply) {
      const { caller, params, body } = request;
      const assertVersion = ifMatch(request);
      const found = await users.load(params.id);
      if (!found) throw notFound('user');
      assertVersion(found.version);
      await parts.factors.requireFreshSecondFactor(caller);
      const input = { userId: params.id, role: body.role, actor: actorOf(request), reason: body.reason ?? null };
      const { user, version, revocation } = await changeRole(parts, input, assertVersion);
      if (revocation) setRevokedHeader(reply, revocation);
      return sendVersioned(request, reply, version, showUser(user));
    },
  };
}

type ShowNeeds = Pick<Parts, 'factors' | 'sessions' | 'now'>;

async function showMember(needs: ShowNeeds, user: User): Promise<Shown> {
  const [shown] = await showMembers(needs, [user]);
  return shown as Shown;
}

async function showMembers(needs: ShowNeeds, found: readonly User[]): Promise<Shown[]> {
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
      role: user.role as StaffRole,
      status: user.status === 'active' ? 'enabled' : 'disabled',
      ...showFactors(summary),
      sessions: used?.count ?? 0,
      lastSeenAt: used?.lastUsedAt.toISOString() ?? null,
      createdAt: user.createdAt.toISOString(),
    };
  });
}
