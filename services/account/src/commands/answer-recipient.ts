import type { ordersEvents } from '@storefront/contracts';
import type { ErasedUsers } from '@storefront/mongo';
import { customerKey } from '../domain/customer.ts';
import { addressAnswer, answerRecipient as decide, customerAnswer } from '../domain/recipient-answer.ts';
import type { Store } from '../store/collections.ts';

interface Needs extends Pick<Store, 'addressBooks' | 'customers' | 'recipientAnswers'> {
  readonly erasedUsers: Pick<ErasedUsers, 'has'>;
  readonly now: () => Date;
}

/**
 * Tells an order where it goes, by what its buyer has saved at this moment. What another user has saved is unknown. The order of
 * somebody who was erased is ended, and gets no answer.
 */
export async function answerRecipient(
  { addressBooks, customers, recipientAnswers, erasedUsers, now }: Needs,
  orderId: string,
  { userId, saved }: ordersEvents.RecipientRequested,
): Promise<void> {
  if (await erasedUsers.has(userId)) return;
  const answer =
    saved.kind === 'address'
      ? addressAnswer((await addressBooks.load(userId))?.state ?? null, orderId, saved.id)
      : customerAnswer((await customers.load(customerKey(userId, saved.id)))?.state ?? null, orderId);
  await recipientAnswers.change(`${userId}/${orderId}`, () => decide({ userId, orderId }, answer, now()));
}
