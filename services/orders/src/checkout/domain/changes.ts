import { audited, invalidFields, ordersErrors, ordersFields, type ordersHttp } from '@storefront/contracts';
import type { Answered } from './answers.ts';
import type { Asked } from './fulfilment.ts';
import { addressOf, hasBuyer, type Order } from './order.ts';
import { checkRoom } from './pieces.ts';

/**
 * Changes the note of staff and the address of the order. Throws `invalid_transition` for an address once something is shipped or the
 * buyer is forgotten, `too_many_order_changes`, and `validation_failed` for an address in another country.
 */
export function changeOrder(
  order: Order,
  { staffNote, shippingAddress }: ordersHttp.OrderChange,
  { actor }: Pick<Asked, 'actor'>,
): Answered {
  if (shippingAddress !== undefined) checkAddress(order, shippingAddress);
  const fields = [
    ...(staffNote === undefined ? [] : ['staffNote']),
    ...(shippingAddress === undefined ? [] : ['shippingAddress']),
  ];
  return {
    order: {
      ...order,
      ...(staffNote !== undefined && { staffNote }),
      ...(shippingAddress !== undefined && { shippingAddress }),
    },
    step: { happening: shippingAddress === undefined ? 'note' : 'readdress', by: 'shop' },
    audit: audited('orders', actor, 'order-changed', {
      object: { type: 'order', id: order.id },
      about: order.userId,
      details: { fields: fields.join(', ') },
    }),
  };
}

function checkAddress(order: Order, { country }: ordersHttp.OrderAddress): void {
  if (order.status !== 'placed' && order.status !== 'awaiting-payment')
    throw ordersErrors.invalidTransition(order.status);
  if (order.fulfilment !== 'open') throw ordersErrors.invalidTransition(order.fulfilment);
  if (!hasBuyer(order)) throw ordersErrors.invalidTransition('forgotten');
  const { country: present } = addressOf(order);
  if (country !== present) throw invalidFields([ordersFields.otherCountry(present)]);
  checkRoom(order);
}

/**
 * Sends the confirmation, or what the buyer was told last, once more. Throws `invalid_transition` for an order that was never
 * placed or whose buyer is forgotten, and for the confirmation of a cancelled one, and `too_many_order_changes`.
 */
export function mailAgain(
  order: Order,
  { id: changeId, mail }: { readonly id: string } & ordersHttp.OrderMail,
  { actor }: Pick<Asked, 'actor'>,
): Answered {
  const { id, number, status, userId } = order;
  if (number === null || (status === 'cancelled' && mail === 'confirmation'))
    throw ordersErrors.invalidTransition(status);
  if (!hasBuyer(order)) throw ordersErrors.invalidTransition('forgotten');
  checkRoom(order);
  return {
    order,
    step: { happening: 'mail', by: 'shop', mail, changeId },
    audit: audited('orders', actor, 'order-mailed', {
      object: { type: 'order', id },
      about: userId,
      details: { mail },
    }),
  };
}

/** Makes the order of a guest that of a user; nobody reads it with its secret any more. */
export function claim(order: Order, userId: string): Answered {
  return { order: { ...order, userId, secret: null }, step: { happening: 'claim', by: 'buyer' } };
}
