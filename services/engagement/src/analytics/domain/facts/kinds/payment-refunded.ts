import { billingEvents } from '@storefront/contracts';
import type { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';
import { payment, aboutPayment } from '../payment.ts';

/** Money went back. No report counts it: what it changes of an invoice is told apart. */
export const paymentRefunded: FactKind<'payment-refunded', z.infer<typeof payment>> = {
  name: 'payment-refunded',
  data: payment,
  tellers: [toldBy(billingEvents.paymentRefunded, aboutPayment)],
  countsOf: () => [],
  setsOf: () => [],
};
