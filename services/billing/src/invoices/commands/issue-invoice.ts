import { billingErrors, billingFields, invalidFields, type Actor } from '@storefront/contracts';
import { toDecimal } from '@storefront/money';
import type { Shop } from '../../domain/shop.ts';
import type { Invoice } from '../../domain/invoice.ts';
import type { InvoiceToIssue } from '../domain/issue-invoice.ts';
import type { IssueOne } from './issue-batch.ts';

interface Needs {
  readonly issue: IssueOne;
  readonly shop: Shop;
}

/**
 * Issues an invoice for staff. If the id was used before, the existing invoice is returned. Throws
 * `account_closed`, `account_on_hold`, `credit_exceeded` and `order_already_invoiced`, and `validation_failed` for an
 * unknown account.
 */
export async function issueInvoice(
  { issue, shop }: Needs,
  admin: Actor,
  requested: InvoiceToIssue,
): Promise<{ readonly invoice: Invoice; readonly version: number }> {
  const result = await issue({ ...requested, by: { admin } });
  switch (result.kind) {
    case 'issued':
      return result;
    case 'closed':
      throw billingErrors.accountClosed();
    case 'hold':
      throw billingErrors.accountOnHold();
    case 'limit': {
      const { currency } = shop;
      throw billingErrors.creditExceeded(`${toDecimal({ amount: result.available ?? 0, currency })} ${currency}`);
    }
    case 'no-account':
      throw invalidFields([billingFields.noSuchAccount()]);
    case 'order-invoiced':
    case 'order-refused':
      throw billingErrors.orderAlreadyInvoiced();
  }
}
