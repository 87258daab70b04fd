import { queues } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import { notingWrites, rememberReads, type CollectionDefinition, type ErasedUsers } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { unlessErased, type PersonalData } from '@storefront/user-data';
import type { OrdersConfig } from '../config.ts';
import type { Parcel, ShippingOption } from '../domain/shipping.ts';
import { termsFor, type Terms } from '../domain/terms.ts';
import { allOptions, optionsOf } from './domain/shipping-options.ts';
import { allRates, ratesInForce } from './domain/tax-rates.ts';
import { onTradeAccountChanged } from './events/on-trade-account-changed.ts';
import { settingsHandlers } from './routes/settings.ts';
import { openStore, settingsCollections as collections } from './store/collections.ts';

/** The collections of this area. */
export const settingsCollections: readonly CollectionDefinition[] = collections;

interface Ports {
  readonly erasedUsers: ErasedUsers;
}

/** What is shipped to whom, and by which option. */
interface ShippedOrder extends Parcel {
  /** Null for a guest. */
  readonly userId: string | null;
  readonly optionId: string;
}

/** What staff have set, as other areas read it. */
export interface Settings {
  /** The country of the shop (ISO 3166-1 alpha-2). */
  readonly sellerCountry: string;
  /** The shipping options that are offered. */
  readonly shippingOptions: () => Promise<readonly ShippingOption[]>;
  /** The shipping option with this id; null where it does not exist, or is not offered. */
  readonly findShippingOption: (id: string) => Promise<ShippingOption | null>;
  /** What applies to the shipping and the tax of an order now: trade accounts by their VAT number. */
  readonly termsOf: (order: ShippedOrder) => Promise<Terms>;
}

/** What staff set: how the shop ships, and what tax it charges. */
export function openSettings(resources: Resources, config: OrdersConfig, { erasedUsers }: Ports) {
  const { cursors, now } = resources;
  let ownChanges = 0;
  const relay = notingWrites(resources.relay, () => (ownChanges += 1));
  const store = openStore({ ...resources, relay });
  const seller = { country: config.SELLER_COUNTRY, defaultTaxRate: config.DEFAULT_TAX_RATE };
  const readOptions = async () =>
    optionsOf((await store.shippingOptions.load(allOptions))?.state ?? null).filter(({ active }) => active);
  const shippingOptions = remembered(readOptions);
  const taxRates = remembered(async () => ratesInForce((await store.taxRates.load(allRates))?.state ?? null, seller));
  const forget = (userId: string) => store.tradeAccounts.eraseMany({ _id: userId });

  const reads: Settings = {
    sellerCountry: seller.country,
    shippingOptions,
    async findShippingOption(id) {
      const withId = (option: ShippingOption) => option.id === id;
      // It may be so new that it is not among those that are remembered.
      return (await shippingOptions()).find(withId) ?? (await readOptions()).find(withId) ?? null;
    },
    async termsOf({ userId, optionId, ...parcel }) {
      const [options, rates, account] = await Promise.all([
        shippingOptions(),
        taxRates(),
        userId !== null && parcel.tier === 'trade' ? store.tradeAccounts.load(userId) : null,
      ]);
      const option = options.find(({ id }) => id === optionId);
      const vatNumber = account?.state.vatNumber ?? null;
      return termsFor({ option, taxRates: rates, sellerCountry: seller.country }, { ...parcel, vatNumber });
    },
  };
  return {
    handlers: settingsHandlers({ ...store, seller, currency: config.CURRENCY, cursors, now }),
    subscriptions: [
      unlessErased(
        subscription(queues.orders.onTradeAccountChanged, onTradeAccountChanged(store.tradeAccounts)),
        erasedUsers,
        forget,
      ),
    ],
    userData: {
      async *collect({ userId }) {
        const account = await store.tradeAccounts.load(userId);
        if (account) yield { vatNumber: account.state.vatNumber };
      },
      erase: ({ userId }) => forget(userId),
    } satisfies PersonalData,
    /** Other areas read what staff have set by these. */
    reads,
  };

  /** Remembers what was read for a second, as each order needs it several times; but a change by this instance counts at once. */
  function remembered<Value>(read: () => Promise<Value>): () => Promise<Value> {
    const find = rememberReads(async () => ({ value: await read() }), { forMs: 1000, atMost: 1 });
    return async () => {
      const key = String(ownChanges);
      const found = (await find([key])).get(key);
      return found ? found.value : read();
    };
  }
}
