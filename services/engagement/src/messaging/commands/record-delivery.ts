import { withFacts, type Fact } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import type { Recipients } from '../store/recipients.ts';
import { createDelivery, type MessageDelivery, type NewDelivery } from '../domain/delivery.ts';
import type { Deliveries } from '../store/deliveries.ts';

export interface RecordNeeds {
  readonly deliveries: Pick<Deliveries, 'change'>;
  readonly recipients: Pick<Recipients, 'segmentOf'>;
  readonly now: () => Date;
}

/** Stores a delivery, and `more` facts with it; called again with the same id it changes nothing and returns the one that is stored. */
export async function recordDelivery(
  { deliveries, recipients, now }: RecordNeeds,
  delivery: Omit<NewDelivery, 'segment'>,
  ...more: readonly Fact[]
): Promise<Loaded<MessageDelivery>> {
  const segment = delivery.userId === null ? 'guest' : await recipients.segmentOf(delivery.userId);
  const added: NewDelivery = { ...delivery, ...(segment && { segment }) };
  // Most likely it is new, so the write goes first, without a read.
  const { result, version } = await deliveries.change(
    delivery.id,
    (current) => withFacts(createDelivery(current, added, now()), ...more),
    null,
  );
  return { state: result, version };
}
