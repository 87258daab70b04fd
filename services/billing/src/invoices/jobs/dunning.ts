import type { JobHolders } from '@storefront/mongo';
import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import type { BooksStore } from '../../store/books.ts';
import type { Store } from '../../store/collections.ts';
import { runDunning } from '../commands/run-dunning.ts';
import type { InvoiceReads } from '../store/invoice-reads.ts';

const everyMs = 10_000;

/**
 * Sends reminders, marks invoices as overdue and puts accounts on hold when their time has come. Only one instance does
 * so at a time. `stop` waits for the current batch.
 */
export function runDunningRepeatedly(
  needs: Pick<Store, 'accounts' | 'invoices'> & {
    readonly books: BooksStore;
    readonly invoiceReads: Pick<InvoiceReads, 'dueForDunning'>;
    readonly jobHolders: JobHolders;
    readonly databaseNow: () => Date;
    readonly logger: Logger;
  },
): { stop(): Promise<void> } {
  const { jobHolders, logger } = needs;
  let isStopped = false;
  const mayGoOn = async (): Promise<boolean> => !isStopped && (await jobHolders.take('invoice-steps'));
  const work = () => runDunning({ ...needs, mayGoOn });
  const repeated = repeatEvery(everyMs, work, { logger, failure: 'steps of invoices were not looked for' });
  return {
    async stop() {
      isStopped = true;
      await repeated.stop();
    },
  };
}
