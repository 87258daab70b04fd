import type { Calendar } from '@storefront/calendar';
import { queues } from '@storefront/contracts';
import type { SendDocument } from '@storefront/http';
import { subscription } from '@storefront/messaging';
import type { Resources } from '@storefront/service';
import { unlessErased, type PersonalData, type UserData } from '@storefront/user-data';
import type { Shop } from '../domain/shop.ts';
import type { Store } from '../store/collections.ts';
import { eraseAccount } from './commands/change-account.ts';
import { onTradeAccountChanged, onTradeAccountCorrected } from './events/on-trade-account-changed.ts';
import { creditHandlers } from './routes/credit.ts';
import { statementHandlers } from './routes/statement.ts';
import { openAccountReads } from './store/account-reads.ts';
import { openStatements } from './store/statements.ts';

export type { AccountReads } from './store/account-reads.ts';

interface Ports {
  readonly store: Store;
  readonly shop: Shop;
  readonly calendar: Calendar;
  readonly sendDocument: SendDocument;
  readonly erasedUsers: UserData['erasedUsers'];
}

/** Trade accounts: billing's copy of identity's trade accounts, with the credit, the debt and the statement of each. */
export function openAccounts({ now }: Resources, { store, erasedUsers, ...ports }: Ports) {
  const reads = openAccountReads(store);
  const parts = { ...store, ...ports, accountReads: reads, statements: openStatements(store), now };
  const erase = (userId: string) => eraseAccount(parts, userId);
  return {
    handlers: { ...creditHandlers(parts), ...statementHandlers(parts) },
    subscriptions: [
      unlessErased(
        subscription(queues.billing.onTradeAccountChanged, onTradeAccountChanged(parts)),
        erasedUsers,
        erase,
      ),
      unlessErased(
        subscription(queues.billing.onTradeAccountCorrected, onTradeAccountCorrected(parts)),
        erasedUsers,
        erase,
      ),
    ],
    userData: {
      // Amounts are in minor units.
      async *collect({ userId }) {
        const account = await store.accounts.load(userId);
        if (!account) return;
        const { buyer, limit, termsDays, hold, outstanding, reserved, unused } = account.state;
        yield { credit: { business: buyer, limit, termsDays, hold, outstanding, reserved, unused } };
      },
      erase: ({ userId }) => erase(userId),
    } satisfies PersonalData,
    /** Other areas use these functions to read accounts. */
    reads,
    eraseAccount: erase,
  };
}
