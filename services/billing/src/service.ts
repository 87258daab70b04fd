import { calendarOf } from '@storefront/calendar';
import { billingOperations, type Refusal } from '@storefront/contracts';
import { openJobHolders, openStepBatches } from '@storefront/mongo';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import { openUserData } from '@storefront/user-data';
import { creditHandlers } from './accounts/routes/credit.ts';
import { openAccountReads } from './accounts/store/account-reads.ts';
import { openBooks } from './books/store/books.ts';
import { createCallbackReceiver } from './callbacks/commands/receive-callback.ts';
import { workOffCallbacks } from './callbacks/commands/work-off-callbacks.ts';
import { expireBodies } from './callbacks/jobs/expire-bodies.ts';
import { redoCallbacks } from './callbacks/jobs/redo-callbacks.ts';
import type { Done } from './callbacks/domain/callback.ts';
import { callbackHandlers } from './callbacks/routes/callbacks.ts';
import { openCallbackBodies } from './callbacks/store/callback-bodies.ts';
import { configSchema, type BillingConfig } from './config.ts';
import { shopOf } from './domain/shop.ts';
import { subscriptions } from './events/subscriptions.ts';
import { workOffIssues, type Issue, type IssueResult } from './invoices/commands/work-off-issues.ts';
import { doStepsByThemselves } from './invoices/jobs/do-steps.ts';
import { documentHandlers } from './invoices/routes/documents.ts';
import { invoiceHandlers } from './invoices/routes/invoices.ts';
import { openDueSteps } from './invoices/store/due-steps.ts';
import { openInvoiceReads } from './invoices/store/invoice-reads.ts';
import { openSeries } from './invoices/store/series.ts';
import { makePayments, type AskedPayment } from './payments/commands/create-payment.ts';
import type { Payment } from './payments/domain/payment.ts';
import { paymentHandlers } from './payments/routes/payments.ts';
import { configuredProviders } from './providers/configured.ts';
import { createRendering } from './routes/rendering.ts';
import { statementHandlers } from './statements/routes/statement.ts';
import { openStatements } from './statements/store/statements.ts';
import { definitions, openStore } from './store/collections.ts';
import { collectUserData } from './user-data/commands/collect-user-data.ts';
import { eraseUserData } from './user-data/commands/erase-user-data.ts';
import { openPersonalData } from './user-data/store/personal-data.ts';

/** What trade accounts owe: invoices, credit, payments, and callbacks of payment providers. */
export const service = defineService({ name: 'billing', config: configSchema, collections: definitions, start });

async function start(config: BillingConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('billing', config, overrides);
  const { now, cursors, lease, logger } = resources;
  const store = await openStore(resources);
  const userData = await openUserData('billing', resources);
  const calendar = calendarOf(config.SHOP_TIME_ZONE);
  const issuing = {
    ...store,
    books: openBooks(store, config.CURRENCY),
    series: openSeries(store),
    calendar,
    shop: shopOf(config),
    now,
  };
  const parts = {
    ...issuing,
    accountReads: openAccountReads(store),
    invoiceReads: openInvoiceReads(store, calendar),
    dueSteps: openDueSteps(store),
    jobHolders: openJobHolders(resources),
    statements: openStatements(store),
    sendDocument: createRendering(),
    personalData: openPersonalData(store),
    issue: openStepBatches<Issue, IssueResult>((issues) => workOffIssues(issuing, issues)),
    erasedUsers: userData.erasedUsers,
    userData,
    cursors,
  };
  const steps = doStepsByThemselves({ ...parts, databaseNow: lease.now, logger });
  resources.opened.defer(() => steps.stop());
  const paying = openPayments(config, parts);
  const redoing = redoCallbacks({ ...parts, ...paying, logger });
  resources.opened.defer(() => redoing.stop());
  const expiring = expireBodies({ callbackBodies: openCallbackBodies(store), logger, now });
  resources.opened.defer(() => expiring.stop());
  return await serve(resources, {
    operations: billingOperations,
    areas: [
      {
        handlers: {
          ...creditHandlers(parts),
          ...statementHandlers(parts),
          ...documentHandlers(parts),
          ...invoiceHandlers(parts),
          ...callbackHandlers({ ...parts, ...paying, auditNotes: resources.auditNotes }),
          ...paymentHandlers({ ...parts, ...paying }),
        },
        subscriptions: subscriptions({ ...parts, ...paying }),
        userData: {
          collect: ({ userId }) => collectUserData(parts, userId),
          erase: ({ userId }) => eraseUserData(parts, userId),
        },
      },
    ],
    userData,
  });
}

// Each takes several reads and writes. A long transaction is overtaken by what other instances change meanwhile, or by its time
// limit, and has to start again.
const shortTransactions = { atMost: 5 };

/** Payments, and the callbacks of the providers at which they are paid. */
function openPayments(config: BillingConfig, needs: Omit<Parameters<typeof workOffCallbacks>[0], 'providers'>) {
  const parts = { ...needs, providers: configuredProviders(config) };
  return {
    providers: parts.providers,
    receiveCallback: createCallbackReceiver(parts),
    makePayment: openStepBatches<AskedPayment, Payment | Refusal>(
      (asked) => makePayments(parts, asked),
      shortTransactions,
    ),
    workOffCallback: openStepBatches<string, Done>((items) => workOffCallbacks(parts, items), shortTransactions),
  };
}
