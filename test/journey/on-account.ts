import { createClient } from '@storefront/client';
import { fact, ordersEvents, toEvent } from '@storefront/contracts';
import type { Stack } from '@storefront/stack';
import { eventually } from '@storefront/testing';
import { expect, it } from 'vitest';
import { mailTo } from '../client.ts';
import { publishEvent } from '../faults/system/publish-event.ts';
import { signUpTrade, staffAt } from '../people.ts';

const email = 'toni@on-account.example';
const euros = (amount: number) => ({ amount, currency: 'EUR' });

/** An order on account, published as an order system would, up to its payment. */
export function testOnAccount(placeOf: () => { readonly stack: Stack; readonly amqpUrl: string }): void {
  it('takes an order on account to an invoice by mail, and its payment at the page of the provider to a paid one', async () => {
    const { stack, amqpUrl } = placeOf();
    const mailbox = stack.mailbox ?? '';
    const toni = createClient({ baseUrl: stack.gateways[0] ?? '' });
    const admin = await staffAt(stack.gateways[0], stack.accounts.admin);
    const named = { email, firstName: 'Toni', lastName: 'Trade', phone: '+31 20 123 4567' };
    const business = { businessName: 'Quay', businessAddress: 'Pier 4, Amsterdam', vatNumber: 'NL123456789B01' };
    const userId = await signUpTrade(toni, mailbox, admin, { ...named, ...business });
    const order = fact(ordersEvents.orderPlaced, 'order-1', {
      orderId: 'order-1',
      userId,
      recipient: { firstName: 'Robin', lastName: 'Reader' },
      placedAt: new Date().toISOString(),
      tier: 'trade',
      paymentTerms: 'invoice',
      reference: 'PO-7781',
      lines: [{ productId: 'none', description: 'Assam, 1 kg', quantity: 3, unitPrice: euros(1099), taxRate: 19 }],
      totals: { subtotal: euros(3297), total: euros(3297) },
    });
    await publishEvent(amqpUrl, toEvent(order, { sequence: 1, time: new Date() }));
    const invoice = await eventually(
      async () => (await toni.invoices.listInvoices()).data[0],
      'the invoice of the order',
    );
    // The buyer is in another country of the EU than the shop, and owes the tax there.
    expect(invoice).toMatchObject({
      status: 'open',
      orderRef: 'order-1',
      reference: 'PO-7781',
      reverseCharge: true,
      total: euros(3297),
      balance: euros(3297),
    });
    const mail = await mailTo(mailbox, email, new RegExp(invoice.number));
    expect(mail.Text).toContain('32.97');

    const payment = await toni.payments.createPayment({ body: { invoiceIds: [invoice.id] } });
    expect(payment).toMatchObject({ status: 'pending', amount: euros(3297) });
    const page = await fetch(payment.redirectUrl ?? '');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('32.97');
    const { origin } = new URL(payment.redirectUrl ?? '');
    const paid = await fetch(`${origin}/api/payments/${payment.id}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.payments.demo?.secret}` },
      body: JSON.stringify({ ...euros(3297), twice: true }),
    });
    expect(paid.status).toBe(202);

    await eventually(async () => {
      const { status } = await toni.invoices.getInvoice({ params: { id: invoice.id } });
      if (status !== 'paid') throw new Error(`it is ${status}`);
      return true;
    }, 'the invoice to be paid');
    await mailTo(mailbox, email, new RegExp(`${invoice.number} is paid`));
    expect(await toni.invoices.getOwnCredit()).toMatchObject({ outstanding: euros(0), credit: euros(0) });

    const pdf = await toni.invoices.getInvoicePdf({ params: { id: invoice.id } });
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect((await pdf.text()).slice(0, 5)).toBe('%PDF-');
  });
}
