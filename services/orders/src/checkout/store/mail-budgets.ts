import { createHmac } from 'node:crypto';
import { ordersErrors } from '@storefront/contracts';
import { defineBudgets, openBudgets, type Database } from '@storefront/mongo';

export const mailBudgets = defineBudgets('order_mail_budgets');

/** Limits how many mails about orders staff send again to one buyer on a day (UTC), so that nobody floods a mailbox. */
export interface MailBudgets {
  /** Counts one mail to the user or to the guest's email. Throws `too_many_mails` beyond 5. */
  spend(to: { readonly userId: string | null; readonly email: string | null }): Promise<void>;
}

const windowMs = 24 * 60 * 60 * 1000;
const most = 5;

/** Users and emails are stored as hashes keyed by `secret`. */
export function openMailBudgets(
  { database, now }: { readonly database: Database; readonly now: () => Date },
  secret: string,
): MailBudgets {
  const idOf = (name: string) => createHmac('sha256', secret).update(`mails\0${name}`).digest('base64url');
  const budgets = openBudgets(database, mailBudgets, { windowMs, idOf });
  return {
    async spend({ userId, email }) {
      const { count, secondsLeft } = await budgets.spend(userId ?? email?.toLowerCase() ?? '', now());
      if (count > most) throw ordersErrors.tooManyMails(most).with({ retryAfterSeconds: secondsLeft });
    },
  };
}
