import { accountEvents, changed, fact, type Decision, type Fact, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import type { AddressBook } from './address-book.ts';
import type { Customer } from './customer.ts';

/** That an order was told where it goes. What it was told is only in the event. */
export const recipientAnswer = z.object({
  /** Made of the user's id and the order's id. */
  id: z.string(),
  askedAt: z.date(),
});
export type RecipientAnswer = StateOf<typeof recipientAnswer>;

interface Asked {
  readonly userId: string;
  readonly orderId: string;
}

/** Answers an order where it goes, once more where it asks again. */
export function answerRecipient({ userId, orderId }: Asked, answer: Fact, now: Date): Decision<RecipientAnswer, null> {
  return changed({ id: `${userId}/${orderId}`, askedAt: now }, [answer], null);
}

/** The answer about an address of the user's book. */
export function addressAnswer(book: AddressBook | null, orderId: string, addressId: string): Fact {
  const found = book?.addresses.find(({ id }) => id === addressId);
  if (!found) return fact(accountEvents.recipientRefused, orderId, { reason: 'unknown' });
  const { homeAddress, state, city, country, contactPhone: phone } = found;
  const nobody = { firstName: null, lastName: null };
  return fact(accountEvents.recipientFound, orderId, { ...nobody, homeAddress, state, city, country, phone });
}

/** The answer about a recipient that the user has saved. */
export function customerAnswer(customer: Customer | null, orderId: string): Fact {
  if (!customer) return fact(accountEvents.recipientRefused, orderId, { reason: 'unknown' });
  const { firstName, lastName, phone, address } = customer;
  if (address === null) return fact(accountEvents.recipientRefused, orderId, { reason: 'no-address' });
  return fact(accountEvents.recipientFound, orderId, { firstName, lastName, ...address, phone });
}
