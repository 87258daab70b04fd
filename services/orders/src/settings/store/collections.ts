import {
  byId,
  defineCollection,
  openRepository,
  versioned,
  withEvents,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import { shippingOptions, type ShippingOptions } from '../domain/shipping-options.ts';
import { storedTaxRates, type StoredTaxRates } from '../domain/tax-rates.ts';
import { tradeAccount, type TradeAccount } from '../domain/trade-account.ts';

const sharding = { unsharded: 'one document' };

const shippingOptionCollection = defineCollection(
  'shipping_options',
  { ...withEvents, ...shippingOptions.shape },
  { sharding },
);
const taxRateCollection = defineCollection('tax_rates', { ...withEvents, ...storedTaxRates.shape }, { sharding });

/** The id of a document is the user's id. */
const tradeAccountCollection = defineCollection(
  'trade_accounts',
  { ...versioned, ...tradeAccount.shape },
  { sharding: byId },
);

/** The collections of this area. */
export const settingsCollections = [shippingOptionCollection, taxRateCollection, tradeAccountCollection];

export interface Store {
  readonly shippingOptions: Repository<ShippingOptions>;
  readonly taxRates: Repository<StoredTaxRates>;
  readonly tradeAccounts: Repository<TradeAccount>;
}

export function openStore(needs: RepositoryNeeds): Store {
  return {
    shippingOptions: openRepository<ShippingOptions>(shippingOptionCollection, needs),
    taxRates: openRepository<StoredTaxRates>(taxRateCollection, needs),
    tradeAccounts: openRepository<TradeAccount>(tradeAccountCollection, { database: needs.database }),
  };
}
