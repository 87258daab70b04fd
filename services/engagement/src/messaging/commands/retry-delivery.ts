import { audited, withFacts, type Actor } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import type { Suppressions } from '../store/suppressions.ts';
import { restartDelivery, type MessageDelivery } from '../domain/delivery.ts';
import type { Deliveries } from '../store/deliveries.ts';

interface Needs {
  readonly deliveries: Pick<Deliveries, 'change'>;
  readonly suppressions: Pick<Suppressions, 'remove'>;
  readonly sendNow: (due: Loaded<MessageDelivery>) => void;
  /** The database's time, which decides what is due. */
  readonly databaseNow: () => Date;
}

/**
 * Sends a delivery again that failed or was suppressed. Throws 404 where there is none, 409 where it is in another
 * status.
 */
export async function retryDelivery(needs: Needs, id: string, actor: Actor): Promise<MessageDelivery> {
  const { deliveries, suppressions, sendNow, databaseNow } = needs;
  const { result: state, version } = await deliveries.change(id, (current) => {
    const about = current?.userId ?? null;
    const object = { type: 'delivery', id };
    return withFacts(
      restartDelivery(current, databaseNow()),
      audited('engagement', actor, 'delivery-retried', { object, about }),
    );
  });
  // An administrator decided so: the address is tried again although it bounced.
  if (state.email !== null) await suppressions.remove(state.email);
  sendNow({ state, version });
  return state;
}
