import { setTimeout as wait } from 'node:timers/promises';
import { fact, identityEvents, newId, ordersEvents, toEvent, type Event } from '@storefront/contracts';
import type mongoose from 'mongoose';
import type { AdminClient } from '../admin.ts';
import { isSuccess } from '../client.ts';
import { publishEvent } from '../system/publish-event.ts';

/** A trade account that buys on account. Nobody logs in as it: administrators, orders and the provider act for it. */
export interface Buyer {
  readonly id: string;
  readonly email: string;
}

/** The rate of all lines, in per cent. */
export const taxRate = 19;
const accountsDeadlineMs = 30_000;
const pauseMs = 250;

/** Makes so many trade accounts without a limit, and waits until billing knows them. */
export async function makeBuyers(
  {
    amqp,
    mongodb,
    admin,
  }: { readonly amqp: string; readonly mongodb: mongoose.mongo.MongoClient; readonly admin: AdminClient },
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<Buyer[]> {
  const made = Array.from({ length: count }, (_, at) => ({
    id: newId('user'),
    email: `buyer-${seed}-${at}@example.com`,
  }));
  for (const { id, email } of made) {
    const business = { name: `Buyer ${email}`, address: 'Hauptstraße 1\n10115 Berlin', vatNumber: null, country: 'DE' };
    const approved = fact(identityEvents.tradeAccountApproved, id, {
      email,
      firstName: 'Bea',
      lastName: 'Buyer',
      businessName: business.name,
      reason: null,
      business,
      submittedAt: new Date().toISOString(),
    });
    await publishEvent(amqp, toEvent(approved, { sequence: 1, time: new Date() }));
  }
  const deadline = performance.now() + accountsDeadlineMs;
  const known = () => mongodb.db('storefront_billing').collection('accounts').countDocuments();
  while ((await known()) < count) {
    if (performance.now() > deadline) throw new Error('billing does not know the trade accounts');
    await wait(pauseMs);
  }
  for (const { id } of made) {
    const body = { limit: null, termsDays: 30, hold: false };
    const reply = await admin.call('PUT', `/v1/trade-accounts/${id}/credit`, { body });
    if (!isSuccess(reply)) throw new Error(`the credit of ${id} was not set: ${reply.status} ${reply.code}`);
  }
  return made;
}

/** An order on account. */
export interface OrderOnAccount {
  readonly orderRef: string;
  readonly buyer: Buyer;
  /** In cents, without tax. */
  readonly net: number;
}

/** What an order system publishes of the order. */
export function orderPlaced({ orderRef, buyer, net }: OrderOnAccount): Event {
  const price = { amount: net, currency: 'EUR' };
  const placed = fact(ordersEvents.orderPlaced, orderRef, {
    orderId: orderRef,
    userId: buyer.id,
    recipient: { firstName: 'Robin', lastName: 'Reader' },
    placedAt: new Date().toISOString(),
    tier: 'trade',
    paymentTerms: 'invoice',
    totals: { subtotal: price, total: price },
    lines: [{ productId: 'none', description: 'Tea', quantity: 1, unitPrice: price, taxRate }],
  });
  return toEvent(placed, { sequence: 1, time: new Date() });
}
