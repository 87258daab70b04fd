import { withFacts } from '@storefront/contracts';
import type { Fact } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import { createDelivery } from '../domain/delivery.ts';
import type { MessageDelivery, NewDelivery } from '../domain/delivery.ts';
import type { Deliveries } from '../store/deliveries.ts';

export interface RecordNeeds {
  readonly deliveries: Pick<Deliveries, 'change'>;
  readonly now: () => Date;
}

/** Stores a delivery, and `more` facts with it; called again with the same id it changes nothing and returns the one that is stored. */
export async function recordDelivery(
  { deliveries, now }: RecordNeeds,
  delivery: NewDelivery,
  ...more: readonly Fact[]
): Promise<Loaded<MessageDelivery>> {
  // Most likely it is new, so the write goes first, without a read.
  const { result, version } = await deliveries.change(
    delivery.id,
    (current) => withFacts(createDelivery(current, delivery, now()), ...more),
    null,
  );
  return { state: result, version };
}
