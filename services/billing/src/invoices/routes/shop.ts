import type { billingOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import type { Shop } from '../../domain/shop.ts';

/** Staff read how the operator has set up the shop. */
export function shopHandlers({
  shop,
}: {
  readonly shop: Shop;
}): Pick<Handlers<typeof billingOperations>, 'getShopSettings'> {
  const { bank, currency, defaultLimit, defaultTaxRate, defaultTermsDays, seller, timeZone } = shop;
  return {
    getShopSettings: async () => ({
      timeZone,
      currency,
      seller,
      bank,
      newAccounts: { creditLimit: { amount: defaultLimit, currency }, termsDays: defaultTermsDays },
      defaultTaxRate,
    }),
  };
}
