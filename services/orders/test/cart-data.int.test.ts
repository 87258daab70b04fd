import { fact, identityEvents, newId, toEvent } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrders, tradeAccountEvent, type Harness, type Person } from './harness.ts';

let orders: Harness;
beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders.close());

const at = () => ({ sequence: 9, time: new Date() });
const erasure = ({ id }: Person) =>
  toEvent(fact(identityEvents.userErasureRequested, id, { email: 'a@example.com', role: 'trade' }), at());

/** A trade account with a cart. */
async function buyer(): Promise<{ readonly who: Person; readonly productId: string }> {
  const who = await orders.newTradeAccount('DE123456789');
  const { productId } = await orders.newProduct();
  await orders.call(who, 'POST', '/v1/carts', { lines: [{ productId, quantity: 2 }] });
  return { who, productId };
}

async function documentsAbout({ id }: Person): Promise<number> {
  const found = await Promise.all(
    ['carts', 'trade_accounts', 'cart_budgets'].map((name) => orders.collection(name).find({}).toArray()),
  );
  return found.flat().filter((document) => JSON.stringify(document).includes(id)).length;
}

describe('what carts and settings keep of a person', () => {
  it('is in an export', async () => {
    const { who, productId } = await buyer();
    const exported = { exportId: newId('exp'), email: 'a@example.com' };
    await orders.publish(toEvent(fact(identityEvents.userExportRequested, who.id, exported), at()));
    const answer = await eventually(
      () => orders.eventsOf(who.id, 'orders.user-data-exported')[0],
      'the answer to the export',
    );
    expect(answer.data.data).toMatchObject({
      vatNumber: 'DE123456789',
      carts: [{ userId: who.id, lines: [{ productId, quantity: 2 }] }],
    });
    expect(JSON.stringify(answer.data)).not.toContain('seed');
  });

  it('is erased, touches nobody else, and does not come back with an event that was late', async () => {
    const [{ who }, { who: other }] = [await buyer(), await buyer()];
    expect(await documentsAbout(who)).toBe(2);
    await orders.publish(erasure(who));
    await eventually(() => orders.eventsOf(who.id, 'orders.user-data-erased').length > 0, 'the answer');
    // A cart that has just published something goes with its event.
    await eventually(async () => (await documentsAbout(who)) === 0, 'nothing left of them');
    await orders.publish(tradeAccountEvent(who.id, 'DE123456789', 10));
    await orders.idle();
    expect(await documentsAbout(who)).toBe(0);
    expect(await documentsAbout(other)).toBe(2);
  });
});
