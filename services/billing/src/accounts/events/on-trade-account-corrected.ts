import { identityEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { keepAccount } from '../commands/keep-account.ts';

/** Puts right what stands on invoices from now on. An event that comes twice, or after a newer one, changes nothing. */
export function onTradeAccountCorrected(needs: Parameters<typeof keepAccount>[0]) {
  return on(identityEvents.tradeAccountChanged, ({ subject: id, sequence, data: { isApproved, business } }) =>
    keepAccount(needs, { id, sequence, isOpen: isApproved, wasApproved: isApproved, business }),
  );
}
