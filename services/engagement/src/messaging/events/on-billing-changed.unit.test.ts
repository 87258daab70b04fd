import { billingEvents, type Reading } from '@storefront/contracts';
import { newEvent } from '@storefront/testing';
import { expect, it, vi } from 'vitest';
import { teaShop } from '../../../test/every-mail.ts';
import { writingFor } from '../domain/templates/compose.ts';
import { onBillingChanged } from './on-billing-changed.ts';

type Needs = Parameters<typeof onBillingChanged>[0];

const context = { attempt: 1, signal: new AbortController().signal };
const order = newEvent(billingEvents.orderNotInvoiced, 'user_1', { orderRef: 'ord-8', reason: 'no-lines' });

/** Handles the event of an order; `erased` are the answers to whether the account was erased, one after the other. */
async function handle(erased: readonly boolean[]) {
  const has = vi.fn<Needs['erasedUsers']['has']>();
  for (const answer of erased) has.mockResolvedValueOnce(answer);
  const insert = vi.fn<Needs['notifications']['insert']>(async () => true);
  const eraseMessagesTo = vi.fn<Needs['eraseMessagesTo']>(async () => undefined);
  const needs = {
    erasedUsers: { has },
    notifications: { insert },
    changes: { publish: () => undefined },
    eraseMessagesTo,
    writingFor: (reading: Reading) => writingFor(teaShop, reading),
    now: () => new Date(),
  } as unknown as Needs;
  const reaction = onBillingChanged(needs).find(({ type }) => type === order.type);
  expect(await reaction?.handle(order, context)).toBe('done');
  return { eraseMessagesTo, data: insert.mock.calls[0]?.[0].notification.data };
}

it('leaves an account alone that is there', async () => {
  const { eraseMessagesTo, data } = await handle([false, false]);
  expect(data).toMatchObject({ tradeAccountId: 'user_1' });
  expect(eraseMessagesTo).not.toHaveBeenCalled();
});

it('erases what it wrote about an account that was erased meanwhile', async () => {
  const { eraseMessagesTo } = await handle([false, true]);
  expect(eraseMessagesTo).toHaveBeenCalledExactlyOnceWith('user_1');
});

it('writes nothing about an account that was erased before', async () => {
  const { eraseMessagesTo, data } = await handle([true]);
  expect(data).toEqual({ orderRef: 'ord-8', reason: 'no-lines' });
  expect(eraseMessagesTo).not.toHaveBeenCalled();
});
