import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { answerRecipient } from '../commands/answer-recipient.ts';

/**
 * Tells an order where it goes. Asked twice, account answers twice: orders takes the first answer that it waits for.
 */
export function onRecipientRequested(parts: Parameters<typeof answerRecipient>[0]) {
  return on(ordersEvents.recipientRequested, ({ subject, data }) => answerRecipient(parts, subject, data));
}
