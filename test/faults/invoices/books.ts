/**
 * What billing has stored of all accounts at one moment, in cents. Written down here once more: no code is shared with
 * billing.
 */
export interface StoredBooks {
  readonly accounts: readonly { readonly _id: string; readonly outstanding: number; readonly unused: number }[];
  readonly invoices: readonly StoredInvoice[];
  readonly payments: readonly StoredPayment[];
  readonly journal: readonly {
    readonly accountId: string;
    readonly sequence: number;
    readonly amount: number;
    readonly balance: number;
  }[];
}

export interface StoredInvoice {
  readonly _id: string;
  readonly number: string;
  readonly accountId: string;
  readonly status: string;
  readonly orderRef: string | null;
  readonly total: number;
  readonly amountPaid: number;
  readonly credited: number;
  readonly balance: number;
  readonly payments: readonly { readonly paymentId: string; readonly amount: number }[];
  readonly creditNotes: readonly { readonly number: string; readonly total: number }[];
}

export interface StoredPayment {
  readonly _id: string;
  readonly accountId: string | null;
  readonly received: number;
  readonly remainder: number;
  readonly unallocatedReason: string | null;
  readonly receipts: readonly {
    readonly reference: string;
    readonly succeeded: number;
    readonly refunded: number;
    readonly disputed: number;
  }[];
  readonly allocations: readonly { readonly invoiceId: string; readonly amount: number }[];
}

/** Every sum of the books that does not add up, in words. */
export function imbalancesOf({ accounts, invoices, payments, journal }: StoredBooks): string[] {
  return [
    ...accounts.flatMap(({ _id, outstanding, unused }) => {
      const owed = sum(
        invoices.filter((each) => each.accountId === _id && each.status !== 'void').map((each) => each.balance),
      );
      const credit = sum(
        payments
          .filter((each) => each.accountId === _id && each.unallocatedReason === null)
          .map((each) => each.remainder),
      );
      const entries = journal.filter((each) => each.accountId === _id);
      const entered = sum(entries.map(({ amount }) => amount));
      const sequences = entries.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
      return [
        ...differing(`${_id}: outstanding`, outstanding, owed),
        ...differing(`${_id}: credit`, unused, credit),
        ...differing(`${_id}: journal`, entered, outstanding - unused),
        ...(sequences.every((sequence, at) => sequence === at + 1) ? [] : [`${_id}: entries ${sequences.join(' ')}`]),
      ];
    }),
    ...invoices.flatMap(({ _id, total, credited, amountPaid, balance, ...invoice }) => [
      ...differing(`${_id}: total`, total, credited + amountPaid + balance),
      ...differing(`${_id}: paid`, amountPaid, sum(invoice.payments.map(({ amount }) => amount))),
      ...differing(`${_id}: credited`, credited, sum(invoice.creditNotes.map((note) => note.total))),
      ...(balance < 0 ? [`${_id}: a balance of ${balance}`] : []),
      ...(balance === 0 && invoice.status !== 'paid' ? [`${_id}: ${invoice.status} with nothing owed`] : []),
    ]),
    ...payments.flatMap(({ _id, received, remainder, allocations, receipts }) => [
      ...differing(`${_id}: received`, received, remainder + sum(allocations.map(({ amount }) => amount))),
      ...differing(`${_id}: receipts`, received, sum(receipts.map(netOf))),
      ...(remainder < 0 ? [`${_id}: a remainder of ${remainder}`] : []),
      ...allocations.flatMap(({ invoiceId, amount }) => {
        const invoice = invoices.find((each) => each._id === invoiceId);
        const paid = sum((invoice?.payments ?? []).filter((each) => each.paymentId === _id).map((each) => each.amount));
        return differing(`${_id}: paid of ${invoiceId}`, amount, paid);
      }),
    ]),
  ];
}

/** What an event says: by how much more or less is owed of an invoice. */
export interface BalanceChange {
  readonly invoiceId: string;
  readonly delta: number;
}

/** Invoices of which something else is owed than the changes add up to. Each change is to be given once. */
export function wrongBalances({ invoices }: Pick<StoredBooks, 'invoices'>, changes: Iterable<BalanceChange>): string[] {
  const owed = new Map<string, number>();
  for (const { invoiceId, delta } of changes) owed.set(invoiceId, (owed.get(invoiceId) ?? 0) + delta);
  return invoices.flatMap(({ _id, number, status, balance }) =>
    differing(`${number}: what events say is owed`, owed.get(_id) ?? 0, status === 'void' ? 0 : balance),
  );
}

/** What of a transfer stayed. */
export function netOf({ succeeded, refunded, disputed }: StoredPayment['receipts'][number]): number {
  return Math.max(0, succeeded - refunded - disputed);
}

/** Numbers of a series that are missing or there twice, such as `INV-2026-000007`. */
export function wrongNumbers(numbers: readonly string[]): string[] {
  const series = Map.groupBy(numbers, (number) => number.slice(0, number.lastIndexOf('-')));
  return [...series].flatMap(([name, of]) => {
    const counts = of.map((number) => Number(number.slice(name.length + 1))).toSorted((a, b) => a - b);
    const wrong = counts.findIndex((count, at) => count !== at + 1);
    return wrong < 0 ? [] : [`${name}: ${counts[wrong]} in place of ${wrong + 1}`];
  });
}

function differing(what: string, found: number, right: number): string[] {
  return found === right ? [] : [`${what} is ${found}, not ${right}`];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
