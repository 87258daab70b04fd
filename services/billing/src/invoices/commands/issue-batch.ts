import type { Calendar } from '@storefront/calendar';
import { changed, unchanged, type Actor, type Fact } from '@storefront/contracts';
import type { InContext, Transaction } from '@storefront/mongo';
import { availableOf, creditRefusalOf, withReserved, type CreditRefusal } from '../../domain/credit.ts';
import type { Books } from '../../domain/books.ts';
import type { BooksStore } from '../../store/books.ts';
import type { Shop } from '../../domain/shop.ts';
import type { Store } from '../../store/collections.ts';
import { auditOf } from '../../domain/invoice-facts.ts';
import type { Invoice } from '../../domain/invoice.ts';
import { draftOf, issueInvoice, type InvoiceToIssue } from '../domain/issue-invoice.ts';
import { numberOf, seriesOf } from '../domain/numbers.ts';
import {
  exceeded,
  isTotalOf,
  notInvoiced,
  orderRefusalOf,
  type OrderToInvoice,
  type RefusedOrder,
} from '../domain/order.ts';
import type { KeptOfOrder, OrderCredit } from '../../orders/orders.ts';
import type { RefusedOrders } from '../store/refused-orders.ts';
import type { Series } from '../store/series.ts';

/** An invoice to issue, for staff or for an order on account. */
export interface Issue extends InvoiceToIssue {
  readonly by:
    | { readonly admin: Actor }
    /** `isPaid`: the order was paid by card. */
    | ({ readonly order: string; readonly isPaid: boolean } & Pick<OrderToInvoice, 'totals' | 'stated'>);
}

/** The result of issuing one invoice. An invoice that was already issued under the same id also counts as `issued`. */
export type IssueResult =
  | { readonly kind: 'issued'; readonly invoice: Invoice; readonly version: number }
  | { readonly kind: 'no-account' | 'order-invoiced' | 'order-refused' }
  /** `available` is the amount that may still be invoiced; null for no limit. */
  | { readonly kind: CreditRefusal; readonly available: number | null };

/** Issues one invoice. Invoices that are requested at the same moment are issued together, in one transaction. */
export type IssueOne = (issue: Issue) => Promise<IssueResult>;

export interface IssuingNeeds extends Pick<Store, 'invoices'> {
  readonly refusedOrders: RefusedOrders;
  readonly books: BooksStore;
  readonly orderCredit: OrderCredit;
  readonly series: Series;
  readonly shop: Shop;
  readonly calendar: Calendar;
  readonly now: () => Date;
}

/**
 * Issues invoices in one transaction, one after the other. Credit that one invoice uses is not available to the next.
 * The numbers are taken in the same transaction, so the series has no gap even if the process is killed. The results
 * are in the order of `issues`.
 */
export function issueBatch(needs: IssuingNeeds, issues: readonly InContext<Issue>[]): Promise<IssueResult[]> {
  return needs.books.transaction(async (transaction) => {
    const { books, orderCredit, series, refusedOrders, calendar, now } = needs;
    const at = now();
    const name = seriesOf('INV', calendar.dayOf(at));
    const numbers = await series.take(name, issues.length, at, transaction);
    const batch = await openBatch(needs, issues, transaction);

    let issued = 0;
    const outcomes = issues.map(({ item }) => {
      const outcome = decide(needs, batch, item, numberOf(name, numbers.first + issued), numbers.at);
      if (outcome.kind === 'issued' && !batch.stored.has(item.id)) issued += 1;
      return outcome;
    });
    await series.giveBack(name, issues.length - issued, transaction);

    const changes = [...batch.loaded].flatMap(([accountId, before]) => {
      const after = batch.books.get(accountId) ?? before;
      return after === before ? [] : [{ before, after, facts: batch.facts.get(accountId) ?? [] }];
    });
    for (const { item, owns } of issues) owns(keysOf(item));
    const versions = await books.saveAll(transaction, changes);
    await orderCredit.setInvoiced([...batch.usedCredit], transaction);
    await refusedOrders.changeAll(transaction, [...batch.refused.keys()], (id, current) => {
      const refused = batch.refused.get(id);
      return current || !refused ? unchanged(null) : changed(refused.order, [refused.fact], null);
    });
    return outcomes.map((outcome) =>
      outcome.kind === 'issued'
        ? { ...outcome, version: versions.get(outcome.invoice.id) ?? outcome.version }
        : outcome,
    );
  });
}

/** The working data of one transaction: the documents that were read, and the changes decided so far. */
interface IssueBatch {
  readonly loaded: ReadonlyMap<string, Books>;
  readonly books: Map<string, Books>;
  readonly facts: Map<string, readonly Fact[]>;
  /** The invoices that were already stored before this transaction, by id. */
  readonly stored: ReadonlyMap<string, { readonly invoice: Invoice; readonly version: number }>;
  readonly invoicedOrders: Set<string>;
  readonly refusedOrders: ReadonlySet<string>;
  /** What is known of the orders before the invoices of this batch. */
  readonly credit: ReadonlyMap<string, KeptOfOrder>;
  /** The orders whose reserved credit becomes an invoice. */
  readonly usedCredit: Set<string>;
  readonly refused: Map<string, { readonly order: RefusedOrder; readonly fact: Fact }>;
}

async function openBatch(
  { books, invoices, orderCredit, refusedOrders }: IssuingNeeds,
  issues: readonly InContext<Issue>[],
  transaction: Transaction,
): Promise<IssueBatch> {
  const items = issues.map(({ item }) => item);
  const ids = items.map(({ id }) => id);
  const stored = await invoices.find({ _id: { $in: ids } }, { transaction });
  const orderRefs = items.flatMap(({ orderRef }) => orderRef ?? []);
  const hasOrders = orderRefs.length > 0;
  const invoiced = hasOrders
    ? await invoices.find({ orderRef: { $in: orderRefs } }, { transaction, fields: ['orderRef'], hint: 'by_order' })
    : [];
  const refused = hasOrders
    ? await refusedOrders.find({ _id: { $in: orderRefs } }, { transaction, fields: ['reason'] })
    : [];
  const loaded = await books.loadAll(
    transaction,
    new Map(items.map(({ accountId }) => [accountId, { withCredit: true }])),
  );
  return {
    loaded,
    books: new Map(loaded),
    facts: new Map(),
    stored: new Map(stored.map(({ state, version }) => [state.id, { invoice: state, version }])),
    invoicedOrders: new Set(invoiced.flatMap(({ state }) => state.orderRef ?? [])),
    credit: await orderCredit.find(orderRefs, transaction),
    usedCredit: new Set(),
    refusedOrders: new Set(refused.map(({ state }) => state.id)),
    refused: new Map(),
  };
}

function decide(needs: IssuingNeeds, batch: IssueBatch, issue: Issue, number: string, at: Date): IssueResult {
  const { shop, calendar } = needs;
  const { accountId, orderRef, by } = issue;
  const stored = batch.stored.get(issue.id);
  if (stored) return { kind: 'issued', ...stored };
  const before = batch.books.get(accountId);
  const ofOrder = orderRef === null ? undefined : batch.credit.get(orderRef);
  const reserved = ofOrder?.accountId === accountId ? ofOrder.reserved : 0;
  const hasCredit = reserved > 0;
  const paid = 'order' in by && by.isPaid ? (ofOrder?.paid ?? []) : null;
  // What was reserved or paid is invoiced whatever has become of the account since.
  const isPromised = hasCredit || paid !== null;
  if (!before || (before.account.erasedAt !== null && !isPromised)) return { kind: 'no-account' };
  if (orderRef !== null && batch.invoicedOrders.has(orderRef)) return { kind: 'order-invoiced' };
  if ('order' in by && ofOrder?.isCancelled) return { kind: 'order-refused' };

  const { account } = before;
  const draft = draftOf(account, issue.lines, shop, 'order' in by ? by.stated : null);
  const refusal = isPromised ? null : creditRefusalOf(account, draft.total);
  if ('order' in by) {
    const { order: id } = by;
    if (batch.refusedOrders.has(id) || batch.refused.has(id)) return { kind: 'order-refused' };
    const refuse = (reason: RefusedOrder['reason'], fact: Fact): IssueResult => {
      batch.refused.set(id, { order: { id, accountId, reason, refusedAt: at }, fact });
      return { kind: 'order-refused' };
    };
    if (!isTotalOf(draft, by)) return refuse('totals-differ', notInvoiced(accountId, id, 'totals-differ'));
    if (refusal) {
      const reason = orderRefusalOf(refusal);
      return refuse(reason, exceeded(account, id, reason, { total: draft.total, currency: shop.currency }));
    }
  }
  if (refusal) return { kind: refusal, available: availableOf(account) };

  const freed = hasCredit ? { ...before, account: withReserved(account, -reserved) } : before;
  const { books, invoice, facts } = issueInvoice(freed, issue, draft, { number, at, shop, calendar, paid });
  const audit = 'admin' in by ? [auditOf(by.admin, 'invoice-issued', invoice, { total: invoice.total })] : [];
  batch.books.set(accountId, books);
  batch.facts.set(accountId, [...(batch.facts.get(accountId) ?? []), ...facts, ...audit]);
  if (orderRef !== null) batch.invoicedOrders.add(orderRef);
  if (orderRef !== null && hasCredit) batch.usedCredit.add(orderRef);
  return { kind: 'issued', invoice, version: 1 };
}

/** The ids of all documents that issuing this invoice may change. */
function keysOf({ id, accountId, by }: Issue): string[] {
  return 'order' in by ? [id, accountId, by.order] : [id, accountId];
}
