import { calendarOf } from '@storefront/calendar';
import { billingOperations } from '@storefront/contracts';
import { createDocumentSender } from '@storefront/http';
import { jobHolders, openCollections, servedCollections, type CollectionDefinition } from '@storefront/mongo';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import { openUserData, userDataCollections } from '@storefront/user-data';
import { openAccounts } from './accounts/accounts.ts';
import { configSchema, type BillingConfig } from './config.ts';
import { shopOf } from './domain/shop.ts';
import { invoicesCollections, openInvoices } from './invoices/invoices.ts';
import { openOrders, ordersCollections } from './orders/orders.ts';
import { openPayments, paymentsCollections } from './payments/payments.ts';
import { configuredProviders } from './providers/configured.ts';
import { openBooks } from './store/books.ts';
import { openStore, sharedCollections } from './store/collections.ts';

/** All collections of the service. */
export const collections: readonly CollectionDefinition[] = [
  ...sharedCollections,
  ...invoicesCollections,
  ...ordersCollections,
  ...paymentsCollections,
  jobHolders,
  ...servedCollections,
  ...userDataCollections,
];

/**
 * What trade accounts owe: invoices, credit and payments. How orders are paid. And callbacks of payment providers.
 */
export const service = defineService({ name: 'billing', config: configSchema, collections, start });

async function start(config: BillingConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('billing', config, overrides);
  await openCollections(resources.database, collections);
  const userData = openUserData('billing', resources);
  const { erasedUsers } = userData;
  const store = openStore(resources);
  const books = openBooks(store, config.CURRENCY);
  const shop = shopOf(config);
  const calendar = calendarOf(config.SHOP_TIME_ZONE);
  const sendDocument = createDocumentSender();
  const providers = configuredProviders(config);

  const accounts = openAccounts(resources, { store, shop, calendar, sendDocument, erasedUsers });
  const accountReads = accounts.reads;
  const { eraseAccount } = accounts;
  const orders = openOrders(resources, { store, books, shop, providers, eraseAccount });
  const { countMoney, credit: orderCredit, cancelOrder, reduceOrder } = orders;
  const issuing = { store, books, shop, calendar, sendDocument, erasedUsers };
  const invoices = openInvoices(resources, { ...issuing, accountReads, orderCredit, cancelOrder, reduceOrder });
  const payments = openPayments(resources, {
    store,
    books,
    shop,
    providers,
    countMoney,
    returnUrls: config.RETURN_URLS,
  });
  return await serve(resources, {
    operations: billingOperations,
    areas: [accounts, invoices, orders, payments],
    userData,
  });
}
