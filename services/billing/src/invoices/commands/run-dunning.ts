import { changed, unchanged } from '@storefront/contracts';
import type { Logger } from 'pino';
import { withInvoice } from '../../domain/books.ts';
import type { BooksStore } from '../../store/books.ts';
import type { Store } from '../../store/collections.ts';
import { runNextStep } from '../domain/dunning.ts';
import type { DueInvoice, InvoiceReads } from '../store/invoice-reads.ts';

interface Needs extends Pick<Store, 'accounts' | 'invoices'> {
  readonly books: BooksStore;
  readonly invoiceReads: Pick<InvoiceReads, 'dueForDunning'>;
  /** Whether to go on; called before each batch. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly databaseNow: () => Date;
  readonly logger: Pick<Logger, 'error'>;
}

const atOnce = 50;
const maxFailed = 100;

/**
 * Runs every dunning step whose time has come, one after another and the earliest first: also steps that were missed while nothing ran.
 * Each is run once, however many instances run them at the same time. An invoice whose step fails is logged and left for the next call.
 */
export async function runDunning(needs: Needs): Promise<void> {
  const { invoiceReads, mayGoOn, databaseNow, logger } = needs;
  const now = databaseNow();
  const failed: string[] = [];
  while (failed.length < maxFailed && (await mayGoOn())) {
    const due = await invoiceReads.dueForDunning(now, atOnce, failed);
    if (due.length === 0) return;
    for (const invoice of due) {
      try {
        await runStep(needs, invoice, now);
      } catch (error) {
        logger.error({ err: error, invoice: invoice.id }, 'a step of an invoice could not be done; it is tried again');
        failed.push(invoice.id);
        // Where the database is away, the next read says so.
        break;
      }
    }
  }
}

/** A step that was run meanwhile is not run again, nor one of an invoice that was paid: the decision is made on the stored invoice. */
async function runStep(needs: Needs, due: DueInvoice, now: Date): Promise<void> {
  const { accounts, invoices } = needs;
  const account = await accounts.load(due.accountId);
  if (!account) throw new Error(`${due.id} has no account`);
  // The user of an erased account gets no reminders.
  const isPublished = account.state.erasedAt === null;
  const { result: holds } = await invoices.change(due.id, (invoice) => {
    const done = invoice && runNextStep(invoice, now);
    if (!done || done.holds) return unchanged(done !== null);
    return changed(done.invoice, isPublished ? done.facts : [], false);
  });
  if (holds) await hold(needs, due, now);
}

/** Puts the account on hold and marks the step as done, in one transaction. */
async function hold({ books }: Needs, { id, accountId }: DueInvoice, now: Date): Promise<void> {
  await books.transaction(async (transaction) => {
    const before = await books.load(transaction, accountId, { invoiceIds: [id] });
    const invoice = before?.invoices.get(id);
    const done = invoice && runNextStep(invoice, now);
    if (!before || !done?.holds) return;
    const after = withInvoice(before, done.invoice);
    const { account } = after;
    const overdueInvoices = [...account.overdueInvoices, id];
    await books.save(transaction, before, { ...after, account: { ...account, overdueInvoices } }, done.facts);
  });
}
