import { identityEvents, type EventContract } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { Shop } from '../../domain/shop.ts';
import type { Store } from '../../store/collections.ts';
import { keepAccount, type PublishedAccount } from '../domain/change-account.ts';

interface Needs extends Pick<Store, 'accounts'> {
  readonly shop: Shop;
  readonly now: () => Date;
}

type DecisionData = (typeof identityEvents.tradeAccountApproved)['data'];

/**
 * Keeps the copy of a trade account up to date. The copy stores the sequence of the newest event, so an event that
 * comes twice, or after a newer event, changes nothing.
 */
export function onTradeAccountChanged(needs: Needs) {
  const onDecision = <Type extends string>(contract: EventContract<DecisionData, Type>, isOpen: boolean) =>
    on(contract, ({ subject: id, sequence, data: { business } }) =>
      keep(needs, { id, sequence, isOpen, wasApproved: true, business }),
    );
  return [
    onDecision(identityEvents.tradeAccountApproved, true),
    onDecision(identityEvents.tradeAccountReinstated, true),
    onDecision(identityEvents.tradeAccountSuspended, false),
    on(identityEvents.userSnapshot, async ({ subject: id, sequence, data }) => {
      const { isApproved, business } = data;
      if (isApproved !== undefined && business)
        await keep(needs, { id, sequence, isOpen: isApproved, wasApproved: isApproved, business });
    }),
  ];
}

/**
 * Updates the business data that is printed on later invoices. An event that comes twice, or after a newer event,
 * changes nothing.
 */
export function onTradeAccountCorrected(needs: Needs) {
  return [
    on(identityEvents.tradeAccountChanged, ({ subject: id, sequence, data: { isApproved, business } }) =>
      keep(needs, { id, sequence, isOpen: isApproved, wasApproved: isApproved, business }),
    ),
  ];
}

async function keep({ accounts, shop, now }: Needs, published: PublishedAccount): Promise<void> {
  await accounts.change(published.id, (current) => keepAccount(current, published, shop, now()));
}
