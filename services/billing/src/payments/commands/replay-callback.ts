import { audited, changed, notFound, type Actor } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { replayed, type Callback } from '../domain/callback.ts';

/**
 * Lets a callback be processed again. Throws `callback_not_replayable`, `callback_expired`, and `not_found` if there is
 * no such callback.
 */
export async function replayCallback(
  { callbacks }: { readonly callbacks: Repository<Callback> },
  id: string,
  actor: Actor,
): Promise<Callback> {
  const { result } = await callbacks.change(id, (found) => {
    if (found === null) throw notFound('callback');
    const { callback, facts } = replayed(found);
    const { provider, eventId, outcome } = found;
    const audit = audited('billing', actor, 'callback-replayed', {
      object: { type: 'callback', id },
      details: { provider, eventId, outcome },
    });
    return changed(callback, [...facts, audit]);
  });
  return result;
}
