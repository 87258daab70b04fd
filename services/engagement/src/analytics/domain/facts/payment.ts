import type { billingEvents, EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { StatedFact } from './fact.ts';

/** What is kept of a payment, in minor units. */
export const payment = z.object({ currency: z.string(), amount: z.int() });

/** A fact that money of an account came or went back; of nobody where it is not known whose it is. */
export function aboutPayment({
  time,
  data: { accountId, currency, amount },
}: EventOf<typeof billingEvents.paymentReceived> | EventOf<typeof billingEvents.paymentRefunded>): StatedFact<
  z.infer<typeof payment>
> {
  return {
    at: new Date(time),
    segment: 'trade',
    by: accountId === null ? null : { userId: accountId },
    data: { currency, amount },
  };
}
