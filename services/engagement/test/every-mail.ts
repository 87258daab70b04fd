import { parseColour } from '../src/messaging/domain/colour.ts';
import type { Shop } from '../src/messaging/domain/layout.ts';
import type { RenderableMail } from '../src/messaging/domain/render-mail.ts';

export const teaShop: Shop = {
  name: 'Tea & Tools',
  url: 'https://shop.example',
  logoUrl: null,
  colour: parseColour('#2f6f4f'),
  locale: 'en',
  timeZone: 'UTC',
};

type Template = RenderableMail['template'];
type Mail<Name extends Template> = Extract<RenderableMail, { template: Name }>['data'];

/** An example of every kind of mail, in which `text` makes each text that people enter. */
export function everyMail(text: (plain: string) => string = (plain) => plain): readonly RenderableMail[] {
  const firstName = 'Ada';
  const registration = { registeredAs: 'Ada L.', registeredAt: '2026-11-21T09:30:00.000Z' };
  const decision = { firstName, businessName: text('Lovelace Ltd'), reason: text('Papers 7 and 8.') };
  const euros = (amount: number) => ({ amount, currency: 'EUR' });
  const number = 'INV-2026-000123';
  const party = { businessName: text('Lovelace Ltd'), address: text('1 Mill Lane'), country: 'NL', vatNumber: null };
  const content = {
    currency: 'EUR',
    issuedAt: '2026-11-21T09:30:00.000Z',
    issuedOn: '2026-11-21',
    buyer: party,
    seller: party,
    bank: { name: text('Quay Bank'), iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' },
    lines: [],
    taxes: [],
    taxTreatment: 'domestic' as const,
    reverseCharge: false,
    subtotal: 3632,
    tax: 649,
    total: 4281,
  };
  const document = {
    ...content,
    number,
    reference: text('PO 7'),
    orderRef: text('A-8'),
    dueOn: '2026-12-21',
    termsDays: 30,
  };
  const creditNote = {
    ...content,
    number: 'CN-2026-000001',
    reason: text('Mug 9.'),
    invoiceNumber: number,
    invoiceIssuedOn: '2026-11-21',
  };
  const about = { firstName, id: 'inv_01', accountId: 'user_1', currency: 'EUR' };
  const invoice = { ...about, number, total: 4281, balance: 4281, dueOn: '2026-12-21', orderRef: null };
  const paidAt = content.issuedAt;
  const allocations = [{ invoiceId: 'inv_01', number, amount: 4281 }];
  const payment = { ...about, id: 'pay_1', provider: 'demo', amount: 6000, allocations, credit: 1719 };
  const order = {
    firstName,
    orderId: 'ord_1',
    number: 'ORD-2026-000123',
    currency: 'EUR',
    lines: [
      { name: text('Mug'), sku: text('MUG-1'), quantity: 2, unitPrice: 1250 },
      { name: text('Pot'), sku: text('POT-1'), quantity: 1, unitPrice: 1999 },
    ],
    tracking: null,
    refund: null,
    totals: { subtotal: 4499, discount: 450, shipping: 495, tax: 725, total: 4544 },
    taxIncluded: true,
    payment: 'card' as const,
  };
  const cartLine = {
    productId: 'prod_1',
    variantId: 'var_1',
    name: text('Mug'),
    sku: text('MUG-1'),
    quantity: 2,
    unitPrice: 1250,
  };
  const guestOrder = { ...order, firstName: null };
  const credit = { firstName, id: 'user_1', currency: 'EUR', limit: 100_000, outstanding: 81_000 };

  const examples: { readonly [Name in Template]: readonly Mail<Name>[] } = {
    'verification-code': [registration, { ...registration, registeredAs: null }],
    'trade-application-received': [registration],
    'password-reset-code': [{ digitsExpireAt: '2026-11-21T09:40:00.000Z' }],
    'email-change-code': [{}],
    'email-change-notice': [{ firstName }],
    'second-factor-notice': [{ firstName, change: 'passkey-added' }],
    'password-notice': [{ firstName }],
    welcome: [{ firstName }],
    'registration-attempted': [{ attempted: 'retail' }, { attempted: 'trade' }],
    'password-changed': [
      { firstName, how: 'reset', factorsDropped: true },
      { firstName, how: 'change', factorsDropped: false },
    ],
    'login-throttled': [{ firstName, failures: 5 }],
    'staff-changed': (
      [
        ['role-changed', 'catalog'],
        ['role-changed', 'retail'],
        ['disabled', 'admin'],
        ['enabled', 'admin'],
        ['sessions-ended', 'admin'],
      ] as const
    ).map(([change, role]) => ({ firstName, change, role, reason: text('Left 7.') })),
    'second-factor-changed': (
      [
        'totp-added',
        'totp-removed',
        'passkey-added',
        'passkey-removed',
        'recovery-codes-made',
        'recovery-code-used',
      ] as const
    ).map((change) => ({ firstName, change, recoveryCodesLeft: 9 })),
    'second-factor-guessed': [{ firstName, tries: 10 }],
    'email-change-attempted': [{}],
    'email-changed': [{ firstName }],
    'changes-reverted': [{ firstName, undone: ['email-changed', 'passkey-added', 'recovery-codes-made'] }],
    'trade-account-submitted': [decision],
    'trade-account-approved': [{ ...decision, reason: null }],
    'trade-account-rejected': [decision],
    'trade-account-info-requested': [decision],
    'trade-account-suspended': [decision],
    'trade-account-reinstated': [decision],
    'wishlist-alert': [
      {
        firstName,
        kind: 'price-drop',
        productId: 'prod_1',
        productName: text('Mug'),
        was: euros(1999),
        now: euros(1250),
      },
      { firstName, kind: 'back-in-stock', productId: 'prod_1', productName: text('Mug'), was: null, now: euros(1250) },
    ],
    'cart-left': [
      { firstName, currency: 'EUR', lines: [cartLine, cartLine], subtotal: 5000 },
      { firstName, currency: 'JPY', lines: [cartLine], subtotal: 2500 },
    ],
    'order-confirmed': [
      order,
      guestOrder,
      { ...order, currency: 'JPY', payment: 'none', totals: { ...order.totals, discount: 0 } },
      { ...order, currency: 'KWD', payment: 'invoice', taxIncluded: false },
    ],
    'order-payment-failed': [order, { ...guestOrder, number: null }],
    'order-cancelled': [order, { ...order, payment: 'invoice' }, { ...guestOrder, number: null, payment: 'none' }],
    'order-shipped': [
      {
        ...order,
        tracking: { carrier: text('DHL'), number: text('JJD-7'), url: 'https://parcels.example/?id=7&lang=en' },
      },
      guestOrder,
    ],
    'order-delivered': [order, guestOrder],
    'order-reduced': [{ ...order, refund: 1125 }, { ...order, refund: 1125, payment: 'invoice' }, guestOrder],
    'order-refunded': [
      { ...order, refund: 1125 },
      { ...order, refund: 1125, payment: 'invoice' },
      { ...guestOrder, lines: [], refund: 500 },
    ],
    'order-returned': [order, { ...guestOrder, payment: 'none' }],
    'invoice-issued': [
      { ...invoice, document },
      { ...invoice, balance: 3000, document },
      { ...invoice, balance: 0, document: { ...document, bank: null, reference: null, orderRef: null } },
      { ...invoice, balance: 0, document: { ...document, isPrepaid: true } },
    ],
    'invoice-reminded': ([-3, 0, 7, 14] as const).map((days) => ({ ...invoice, days })),
    'invoice-overdue': [invoice],
    'invoice-paid': [{ ...invoice, balance: 0, paidAt, issuedAt: paidAt }],
    'invoice-voided': [{ ...invoice, balance: 0, reason: text('Twice 2.') }],
    'credit-note-issued': [
      { ...invoice, balance: 3000, creditNoteId: 'cn_1', document: creditNote },
      { ...invoice, balance: 0, creditNoteId: 'cn_1', document: creditNote },
    ],
    'payment-received': [payment],
    'payment-refunded': [
      { ...payment, kind: 'refund' },
      { ...payment, kind: 'dispute' },
    ],
    'credit-warning': [credit],
    'credit-exceeded': [
      { ...credit, orderRef: text('A-8'), total: 30_000, reason: 'limit' },
      { ...credit, orderRef: text('A-8'), total: 30_000, reason: 'hold' },
    ],
    'user-export-ready': [{ firstName }, { firstName, byStaff: true }],
    'account-erased': [{}, { byStaff: true }],
    message: [{ subject: text('7'), html: null, text: text('8') }],
  };
  return Object.entries(examples).flatMap(([template, each]) =>
    each.map((data) => ({ template, data }) as unknown as RenderableMail),
  );
}
