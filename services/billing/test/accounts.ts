import { admin, type Harness, type Person } from './harness.ts';

/** What a test says about an invoice. The total is in cents. */
export interface SomeInvoice {
  readonly total: number;
  /** So many days after today. */
  readonly due?: number;
  readonly isVoid?: boolean;
}

/** A trade account with invoices. */
export async function accountWith(
  harness: Harness,
  invoices: readonly SomeInvoice[],
): Promise<{ readonly owner: Person; readonly invoices: readonly { readonly id: string; readonly number: string }[] }> {
  const owner = await harness.newAccount();
  const made: { id: string; number: string }[] = [];
  for (const { total, due = 30, isVoid = false } of invoices) {
    const unitPrice = { amount: total, currency: 'EUR' };
    const lines = [{ description: 'Assam', quantity: 1, unitPrice, taxRate: 0 }];
    const { status, body } = await harness.call(admin, 'POST', '/v1/invoices', {
      accountId: owner.id,
      lines,
      termsDays: due,
    });
    if (status !== 201) throw new Error(`no invoice: ${JSON.stringify(body)}`);
    if (isVoid) await harness.call(admin, 'POST', `/v1/invoices/${body.id}/void`, {});
    made.push({ id: body.id, number: body.number });
  }
  return { owner, invoices: made };
}
