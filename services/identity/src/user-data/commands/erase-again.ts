import { audited, system, withFacts } from '@storefront/contracts';
import { newErasure } from '../domain/data-request.ts';
import { startErasure } from '../domain/erasure.ts';
import type { User } from '../../domain/user.ts';
import type { Erasures } from '../store/data-requests.ts';
import type { Users } from '../../store/users.ts';
import type { AccountsArea } from '../../accounts/accounts.ts';

interface Needs {
  readonly users: Users;
  readonly erasures: Erasures;
  readonly registrations: Pick<AccountsArea['registrations'], 'idsOf'>;
  readonly now: () => Date;
}

const readAtOnce = 200;

/**
 * Starts another erasure of the users whom a restored backup has brought back. Returns the number of these users.
 * Repeated, it changes nothing for users whose erasure has begun.
 */
export async function eraseAgain(needs: Needs, wasErased: (userId: string) => boolean): Promise<number> {
  let [after, started] = ['', 0];
  for (;;) {
    const found = await needs.users.find({ _id: { $gt: after } }, { order: { _id: 1 }, limit: readAtOnce });
    for (const { state } of found) {
      if (!wasErased(state.id)) continue;
      await eraseOne(needs, state);
      started += 1;
    }
    const last = found.at(-1);
    if (!last || found.length < readAtOnce) return started;
    after = last.state.id;
  }
}

async function eraseOne({ erasures, registrations, now }: Needs, { id, email, passwordHash }: User): Promise<void> {
  const time = now();
  const started = { by: 'user' as const, checkedHash: passwordHash, registrations: await registrations.idsOf(email) };
  const requested = audited('identity', system, 'erasure-requested', { object: { type: 'user', id } });
  await erasures.start(newErasure(id, time), (current) => withFacts(startErasure(current, started, time), requested));
}
