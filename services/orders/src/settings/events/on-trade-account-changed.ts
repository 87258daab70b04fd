import { changed, identityEvents, unchanged } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { Repository } from '@storefront/mongo';
import { afterEvent, type TradeAccount } from '../domain/trade-account.ts';

/**
 * Keeps the VAT numbers of trade accounts. The copy has the sequence of its event, so an event that comes twice, or after a
 * newer one, changes nothing, however late it comes.
 */
export function onTradeAccountChanged(tradeAccounts: Repository<TradeAccount>) {
  async function keep(
    { subject: id, sequence }: { readonly subject: string; readonly sequence: number },
    business: { readonly vatNumber: string | null } | undefined,
  ): Promise<void> {
    if (!business) return;
    const { vatNumber } = business;
    await tradeAccounts.change(id, (current) => {
      const next = afterEvent(current, { id, sequence, vatNumber });
      return next ? changed(next, [], null) : unchanged(null);
    });
  }
  return [
    on(identityEvents.tradeAccountApproved, (event) => keep(event, event.data.business)),
    on(identityEvents.tradeAccountSuspended, (event) => keep(event, event.data.business)),
    on(identityEvents.tradeAccountReinstated, (event) => keep(event, event.data.business)),
    on(identityEvents.tradeAccountChanged, (event) => keep(event, event.data.business)),
    on(identityEvents.userSnapshot, (event) => keep(event, event.data.business)),
  ];
}
