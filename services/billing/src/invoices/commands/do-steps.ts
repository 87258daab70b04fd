import { changed, unchanged } from '@storefront/contracts';
import type { Logger } from 'pino';
import { withInvoice } from '../../books/domain/books.ts';
import type { BooksStore } from '../../books/store/books.ts';
import type { Store } from '../../store/collections.ts';
import { doNextStep } from '../domain/steps.ts';
import type { DueStep, DueSteps } from '../store/due-steps.ts';

interface Needs extends Pick<Store, 'accounts' | 'invoices'> {
  readonly books: BooksStore;
  readonly dueSteps: DueSteps;
  /** Whether to go on: asked before each part of the work. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly databaseNow: () => Date;
  readonly logger: Pick<Logger, 'error'>;
}

const atOnce = 50;
const maxFailed = 100;

/**
 * Does the steps of all invoices whose time has come, one after another and the earliest first, until none is left: those too that
 * were missed while nothing ran. Each is done once, however many instances do it at the same time. An invoice whose step fails is
 * logged and left for the next call.
 */
export async function doSteps(needs: Needs): Promise<void> {
  const { dueSteps, mayGoOn, databaseNow, logger } = needs;
  const now = databaseNow();
  const failed: string[] = [];
  while (failed.length < maxFailed && (await mayGoOn())) {
    const due = await dueSteps.before(now, atOnce, failed);
    if (due.length === 0) return;
    for (const step of due) {
      try {
        await doStep(needs, step, now);
      } catch (error) {
        logger.error({ err: error, invoice: step.id }, 'a step of an invoice could not be done; it is tried again');
        failed.push(step.id);
        // Where the database is away, the next read says so.
        break;
      }
    }
  }
}

/** What was done, or paid, meanwhile stays as it is: the decision is made on the invoice that it changes. */
async function doStep(needs: Needs, due: DueStep, now: Date): Promise<void> {
  const { accounts, invoices } = needs;
  const account = await accounts.load(due.accountId);
  if (!account) throw new Error(`${due.id} has no account`);
  // Nobody is there to be told about an account that was erased.
  const isTold = account.state.erasedAt === null;
  const { result: holds } = await invoices.change(due.id, (invoice) => {
    const done = invoice && doNextStep(invoice, now);
    if (!done || done.holds) return unchanged(done !== null);
    return changed(done.invoice, isTold ? done.facts : [], false);
  });
  if (holds) await hold(needs, due, now);
}

/** Puts the account on hold and marks the step as done, in one transaction. */
async function hold({ books }: Needs, { id, accountId }: DueStep, now: Date): Promise<void> {
  await books.transaction(async (transaction) => {
    const before = await books.load(transaction, accountId, { invoiceIds: [id] });
    const invoice = before?.invoices.get(id);
    const done = invoice && doNextStep(invoice, now);
    if (!before || !done?.holds) return;
    const after = withInvoice(before, done.invoice);
    const { account } = after;
    const overdueInvoices = [...account.overdueInvoices, id];
    await books.save(transaction, before, { ...after, account: { ...account, overdueInvoices } }, done.facts);
  });
}
