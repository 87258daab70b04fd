import { createHmac } from 'node:crypto';
import { identityErrors } from '@storefront/contracts';
import { networkOf } from '@storefront/http';
import { defineBudgets, openBudgets, type Database } from '@storefront/mongo';
import { codeRules, hourMs, type CodePurpose } from '../../domain/code.ts';

export const senderBudgets = defineBudgets('sender_budgets');

/** Limits how many mails one client may have sent to one email. Mails that other clients cause do not count. */
export interface SenderBudgets {
  /** Counts one mail. Throws `too_many_codes` beyond five mails an hour for one purpose. */
  spend(purpose: CodePurpose, ip: string | null, email: string): Promise<void>;
}

/** An IP address and an email are stored together, as one hash keyed by `secret`. */
export function openSenderBudgets(
  { database, now }: { database: Database; now: () => Date },
  secret: string,
): SenderBudgets {
  const idOf = (name: string) => createHmac('sha256', secret).update(`sender\0${name}`).digest('base64url');
  const budgets = openBudgets(database, senderBudgets, { windowMs: hourMs, idOf });
  return {
    async spend(purpose, ip, email) {
      const name = [purpose, ip === null ? '' : networkOf(ip), email].join('\0');
      const { count, secondsLeft } = await budgets.spend(name, now());
      if (count > codeRules.sentPerHour) throw identityErrors.tooManyCodes().with({ retryAfterSeconds: secondsLeft });
    },
  };
}
