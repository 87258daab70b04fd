import { createHmac } from 'node:crypto';
import { identityErrors } from '@storefront/contracts';
import { networkOf } from '@storefront/http';
import { collectionOf, date, byId, defineCollection, integer, type Database } from '@storefront/mongo';
import { codeRules, type CodePurpose } from '../../domain/code.ts';

export const senderBudgets = defineCollection(
  'sender_budgets',
  { sent: integer(), expiresAt: date() },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** How many mails one client may have sent to one email. It is used up by that client alone, never by others. */
export interface SenderBudgets {
  /** Counts one mail. Throws `too_many_codes` beyond five an hour for one purpose. */
  spend(purpose: CodePurpose, ip: string | null, email: string): Promise<void>;
}

const windowMs = 60 * 60 * 1000;

/** Addresses and emails are stored as one hash keyed by `secret`. */
export function openSenderBudgets(
  { database, now }: { database: Database; now: () => Date },
  secret: string,
): SenderBudgets {
  const collection = collectionOf(database, senderBudgets);
  return {
    async spend(purpose, ip, email) {
      const at = now().getTime();
      const end = at - (at % windowMs) + windowMs;
      const name = `sender\0${purpose}\0${end}\0${ip === null ? '' : networkOf(ip)}\0${email}`;
      const counted = await collection.findOneAndUpdate(
        { _id: createHmac('sha256', secret).update(name).digest('base64url') },
        { $inc: { sent: 1 }, $setOnInsert: { expiresAt: new Date(end) } },
        { upsert: true, returnDocument: 'after' },
      );
      if ((counted?.sent ?? 1) > codeRules.sentPerHour)
        throw identityErrors.tooManyCodes().with({ retryAfterSeconds: Math.ceil((end - at) / 1000) });
    },
  };
}
