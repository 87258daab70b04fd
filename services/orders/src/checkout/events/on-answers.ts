import {
  accountEvents,
  billingEvents,
  catalogEvents,
  engagementEvents,
  type EventContract,
  type EventOf,
} from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { Logger } from 'pino';
import type { Terms } from '../../domain/terms.ts';
import { advanceOrder, type AdvanceNeeds } from '../commands/advance-order.ts';
import * as answers from '../domain/answers.ts';
import { addressOf, type Order } from '../domain/order.ts';

export interface AnswerNeeds extends AdvanceNeeds {
  /** What applies to the shipping and the tax of the order, whose goods cost `subtotal` in minor units. */
  readonly termsOf: (order: Order, country: string, subtotal: number) => Promise<Terms>;
}

/**
 * What the other services answer about an order. An answer that comes twice, or to a question that is no longer asked,
 * changes nothing: the status and what the order has already say so, for as long as the order is kept.
 */
export function onRecipientAnswered(needs: AdvanceNeeds) {
  return [
    answering(needs, accountEvents.recipientFound, answers.recipientFound),
    answering(needs, accountEvents.recipientRefused, answers.recipientRefused),
  ];
}

export function onStockAnswered(needs: AnswerNeeds) {
  return [
    on(catalogEvents.stockReserved, async ({ subject: id, data }) => {
      const latest = await needs.orders.latest(id);
      // What the terms follow from stays as it is, once there is an address: another instance may have written that.
      const found = latest?.state.shippingAddress ? latest : await needs.orders.load(id);
      if (!found) return;
      const subtotal = data.lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
      const terms = await needs.termsOf(found.state, addressOf(found.state).country, subtotal);
      await advanceOrder(needs, id, (order) => answers.stockReserved(order, data, terms), found);
    }),
    answering(needs, catalogEvents.stockRefused, answers.stockRefused),
  ];
}

export function onDiscountAnswered(needs: AdvanceNeeds) {
  return [
    answering(needs, engagementEvents.discountHeld, answers.discountHeld),
    answering(needs, engagementEvents.discountRefused, answers.discountRefused),
  ];
}

export function onPaymentAnswered(needs: AdvanceNeeds) {
  return [
    answering(needs, billingEvents.paymentOpened, answers.paymentOpened),
    answering(needs, billingEvents.paymentOpenFailed, answers.paymentOpenFailed),
    answering(needs, billingEvents.creditReserved, answers.creditReserved),
    answering(needs, billingEvents.creditRefused, answers.creditRefused),
    answering(needs, billingEvents.paymentClosed, answers.paymentClosed),
  ];
}

/** After a restore there can be money for an order that is not in the backup: somebody has to see to it. */
export function onOrderPaymentChanged(needs: AdvanceNeeds & { readonly logger: Logger }) {
  return [
    on(billingEvents.orderPaymentChanged, async ({ subject: id, data, sequence }) => {
      const { kind } = await advanceOrder(needs, id, (order) => answers.paymentChanged(order, data, sequence));
      const { received, refunded, currency } = data;
      if (kind === 'unknown' && received > refunded)
        needs.logger.error({ order: id, received, refunded, currency }, 'money came for an order that is not known');
    }),
  ];
}

function answering<Contract extends EventContract>(
  needs: AdvanceNeeds,
  contract: Contract,
  read: (order: Order, data: EventOf<Contract>['data'], sequence: number) => answers.Answered | null,
) {
  return on(contract, async ({ subject: id, data, sequence }) => {
    await advanceOrder(needs, id, (order) => read(order, data, sequence));
  });
}
