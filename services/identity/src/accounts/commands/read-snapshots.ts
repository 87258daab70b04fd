import { fact, identityEvents, toEvent, type Event } from '@storefront/contracts';
import { personOf, type User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';
import { businessOf } from '../../domain/trade-account.ts';

interface Needs {
  readonly users: Users;
  readonly now: () => Date;
}

/**
 * Reads up to `limit` users after the user `id`, in the order of their ids, each as a snapshot event. Users who are
 * being erased are left out, since no service may keep a copy of their data.
 */
export async function readSnapshots({ users, now }: Needs, id: string | undefined, limit: number): Promise<Event[]> {
  const filter = { _id: { $gt: id ?? '' }, status: { $ne: 'erasing' as const } };
  const found = await users.find(filter, { order: { _id: 1 }, limit });
  const time = now();
  return found.map(({ state, version }) =>
    toEvent(fact(identityEvents.userSnapshot, state.id, snapshotOf(state)), { sequence: version, time }),
  );
}

function snapshotOf(user: User) {
  const { role, status, trade } = user;
  return {
    ...personOf(user),
    role,
    ...(role === 'trade' && { isApproved: status === 'approved' }),
    ...(trade && { business: businessOf(trade) }),
  };
}
