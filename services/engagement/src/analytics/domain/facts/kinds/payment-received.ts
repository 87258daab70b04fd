import { billingEvents } from '@storefront/contracts';
import type { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';
import { payment, aboutPayment } from '../payment.ts';

/** Money came. No report counts it: what it changes of an invoice is told apart. */
export const paymentReceived: FactKind<'payment-received', z.infer<typeof payment>> = {
  name: 'payment-received',
  data: payment,
  tellers: [toldBy(billingEvents.paymentReceived, aboutPayment)],
  countsOf: () => [],
  setsOf: () => [],
};
