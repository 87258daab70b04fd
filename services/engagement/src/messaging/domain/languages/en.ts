import type { Language, WordsInput } from './language.ts';

const noCodeNoAccount =
  'Keep this code to yourself, and enter it only if you made this registration yourself. If it was somebody else, ignore ' +
  'this mail: without the code they get no account, and you can register with this address at any time.';
const itWasMe = 'If this was you, there is nothing to do.';
const howToTakeBack = 'If it was not you, take your account back here:';
const takingBack = (until: string) =>
  `The link works once, until ${until}. It undoes all changes of email, password and second factors of the last 7 days ` +
  'and logs out all devices. After that you set a new password.';
const notMe = 'If it was not you, set a new password at once.';
const crossedPayment = 'If you have paid it already, thank you: there is nothing to do.';

const factors: Readonly<
  Record<WordsInput['second-factor-changed']['change'], readonly [subject: string, sentence: string]>
> = {
  'totp-added': ['An authenticator app was added', 'An authenticator app was set up for your account.'],
  'totp-removed': ['An authenticator app was removed', 'The authenticator app of your account was removed.'],
  'passkey-added': ['A passkey was added', 'A passkey was added to your account. It can log in without a password.'],
  'passkey-removed': ['A passkey was removed', 'A passkey was removed from your account.'],
  'recovery-codes-made': [
    'You have new recovery codes',
    'New recovery codes were made for your account. The older ones no longer work.',
  ],
  'recovery-code-used': ['A recovery code was used', 'A recovery code of your account was used.'],
};

const unallocatedReasons: Readonly<Record<string, string>> = {
  other_currency: 'it is of another currency',
  unknown_invoice: 'there is no such invoice',
  unknown_payment: 'there is no such payment',
  invoice_void: 'its invoice is void',
  account_closed: 'its account is closed',
  indivisible_amount: 'its amount is no whole number of the units of its currency',
};

function list({ named, more }: WordsInput['payment-received']['invoices']): string {
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The end of a sentence that says why an order was not invoiced. */
function whyNotInvoiced({ reason, limit, outstanding, total }: WordsInput['credit-exceeded']): string {
  if (reason === 'hold') return 'the account is on hold, as something is overdue or its credit was stopped';
  const most = limit === null ? '' : ` of ${limit}`;
  return `its ${total} and the ${outstanding} that are owed are beyond the credit limit${most}`;
}

const ofOrder = (number: string | null) => (number === null ? '' : ` ${number}`);
const openLink = ({ isOpen }: WordsInput['order-confirmed']) =>
  isOpen ? ['The button opens the order without a login, so keep this mail to yourself.'] : [];

export const english: Language = {
  locale: 'en',
  formats: { money: 'en', dates: 'en-GB', at: (clock, day) => `${clock} on ${day}` },
  greeting: (firstName) => (firstName === null ? 'Hello,' : `Hello ${firstName},`),
  mails: {
    'verification-code': ({ digits, registeredAs, registeredAt, until, shop }) => ({
      subject: digits === null ? 'Your code to confirm your email address' : `${digits} is your code`,
      headline: 'Confirm your address',
      opening: [
        `This is the code for the registration${registeredAs === null ? '' : ` of ${registeredAs}`} at ${registeredAt} with this email address at ${shop}:`,
      ],
      middle: [`It works once, until ${until}, and only for this registration.`],
      closing: [noCodeNoAccount],
    }),
    'trade-application-received': ({ digits, registeredAs, registeredAt, until, shop }) => ({
      subject:
        digits === null ? 'Your code for the trade application' : `${digits} is your code for the trade application`,
      headline: 'Confirm your address',
      opening: [
        `This is the code for the application${registeredAs === null ? '' : ` of ${registeredAs}`} at ${registeredAt} for a trade account with this email address at ${shop}:`,
      ],
      middle: [
        `It works once, until ${until}, and only for this application. We look at the application as soon as the code was entered.`,
      ],
      closing: [noCodeNoAccount],
    }),
    'password-reset-code': ({ digits, hasLink, digitsUntil, linkUntil, shop }) => ({
      subject: digits === null ? 'Set a new password' : `${digits} is your code for a new password`,
      headline: 'Set a new password',
      opening: [
        `Somebody, hopefully you, asked to set a new password for your account at ${shop}.`,
        ...(digits === null ? [] : ['Enter this code where you asked for it:']),
      ],
      middle: [
        ...(digits === null ? [] : [`The code works once, until ${digitsUntil}.`]),
        ...(hasLink && digits !== null ? ['On another device, use this link instead:'] : []),
      ],
      button: 'Set a new password',
      closing: [
        ...(hasLink ? [`The link works once, until ${linkUntil}.`] : []),
        'If it was not you, ignore this mail and pass it on to nobody: your password stays as it is.',
      ],
    }),
    'email-change-code': ({ digits, until, shop }) => ({
      subject: digits === null ? 'Your code to confirm your email address' : `${digits} is your code`,
      headline: 'Confirm your new address',
      opening: [`Somebody, hopefully you, wants to use this address for an account at ${shop}. This is the code:`],
      middle: [`It works once, until ${until}. A newer code replaces it.`],
      closing: ['If it was not you, ignore this mail and keep the code to yourself: without it nothing changes.'],
    }),
    'email-change-notice': ({ until, shop }) => ({
      subject: 'Your account has another email address now',
      opening: [
        `The email address of your account at ${shop} was changed. Until now it was this one.`,
        itWasMe,
        howToTakeBack,
      ],
      button: 'Undo this',
      closing: [takingBack(until)],
    }),
    'second-factor-notice': ({ change, until }) => ({
      subject: factors[change][0],
      opening: [factors[change][1], itWasMe, howToTakeBack],
      button: 'Undo this',
      closing: [takingBack(until)],
    }),
    'password-notice': ({ until, shop }) => ({
      subject: 'Your password was changed',
      opening: [
        `The password of your account at ${shop} was changed, and all other devices were logged out.`,
        itWasMe,
        howToTakeBack,
      ],
      button: 'Undo this',
      closing: [takingBack(until)],
    }),
    welcome: ({ shop }) => ({
      subject: `Welcome to ${shop}`,
      opening: ['Your email address is confirmed and your account is ready. It is good to have you here.'],
      button: `Go to ${shop}`,
    }),
    'registration-attempted': ({ attempted, shop }) => ({
      subject: 'You already have an account',
      opening: [
        `Somebody, perhaps you, tried to register ${attempted === 'trade' ? 'a trade account' : 'an account'} at ${shop} with this email address.`,
        'There already is an account with it, so nothing was changed. Log in, or set a new password there.',
      ],
      button: 'Log in',
      closing: ['If it was not you, there is nothing to do.'],
    }),
    'password-changed': ({ how, factorsDropped, shop }) => ({
      subject: 'Your password was changed',
      opening: [
        how === 'reset'
          ? `A new password was set for your account at ${shop}, with a code sent to this address.`
          : `The password of your account at ${shop} was changed.`,
        'All devices were logged out. If this was you, there is nothing to do.',
        ...(factorsDropped
          ? ['Second factors that were added within the last 7 days no longer work. Please add yours again.']
          : []),
        'If it was not you, set a new password at once:',
      ],
      button: 'Set a new password',
      notification: `All devices were logged out. ${notMe}`,
    }),
    'login-throttled': ({ failures, shop }) => ({
      subject: 'Failed logins to your account',
      opening: [
        `There were ${failures} failed attempts to log in to your account at ${shop}. Nobody got in, and your account is not locked; the next attempts just have to wait for a while.`,
        'If this was you and you forgot your password, set a new one. If it was not you, a longer password is safer.',
      ],
      button: 'Set a new password',
      notification: `There were ${failures} failed attempts to log in. Nobody got in.`,
    }),
    'staff-changed': ({ change, role, shop }) => {
      const changes = {
        'role-changed': {
          subject: 'Your account has another role now',
          opening: [
            role === 'retail'
              ? `Your account at ${shop} is one of a customer now: you have no role of the staff any more. All devices were logged out.`
              : `Your account at ${shop} has the role ${role} of the staff now. All devices were logged out; please log in again to use it.`,
          ],
        },
        disabled: {
          subject: 'Your staff account was disabled',
          opening: [
            `Your staff account at ${shop} was disabled, and all devices were logged out. Nobody can log in to it now.`,
          ],
        },
        enabled: {
          subject: 'Your staff account is enabled again',
          opening: [
            `Your staff account at ${shop} is enabled again. Password and second factors are the same as before.`,
          ],
        },
        'sessions-ended': {
          subject: 'You were logged out on every device',
          opening: [`Your staff account at ${shop} was logged out on every device. You can log in again.`],
        },
      };
      return {
        ...changes[change],
        closing: ['If you did not expect this, please ask an administrator of the shop.'],
      };
    },
    'second-factor-changed': ({ change, codesLeft }) => ({
      subject: factors[change][0],
      opening: [
        factors[change][1],
        ...(change === 'recovery-code-used' ? [`Recovery codes left: ${codesLeft}.`] : []),
        'If this was you, there is nothing to do. If it was not you, set a new password at once:',
      ],
      button: 'Set a new password',
      notification: notMe,
    }),
    'second-factor-guessed': ({ tries }) => ({
      subject: 'Wrong codes for your account',
      opening: [
        `${tries} codes in a row were wrong after the right password for your account. Nobody got in by them, and the next ones have to wait for a while.`,
        'If it was not you, somebody knows your password: set a new one at once.',
      ],
      button: 'Set a new password',
      notification: 'They came after the right password. If it was not you, set a new one at once.',
    }),
    'email-change-attempted': ({ shop }) => ({
      subject: 'You already have an account',
      opening: [
        `Somebody, perhaps you, tried to use this address for another account at ${shop}.`,
        'There already is an account with it, so nothing was changed.',
      ],
      button: 'Log in',
      closing: ['If it was not you, there is nothing to do.'],
    }),
    'email-changed': ({ shop }) => ({
      subject: 'Your email address was changed',
      opening: [
        `From now on this is the email address of your account at ${shop}.`,
        'All other devices were logged out. The former address got a mail about it too.',
      ],
      notification: 'All other devices were logged out.',
    }),
    'changes-reverted': ({ shop }) => ({
      subject: 'Your account is as it was before',
      opening: [`These changes of your account at ${shop} were undone:`],
      middle: [
        'It has this email address again and the same second factors as before, and all devices were logged out.',
        'The password no longer works, since somebody else may know it. Please set a new one:',
      ],
      button: 'Set a new password',
      notification: 'Changes of email, password or second factors were undone, and all devices were logged out.',
    }),
    'trade-account-submitted': ({ businessName }) => ({
      subject: 'We have received your trade application',
      opening: [
        `Thank you: we have received the application of ${businessName} for a trade account. We are looking at it and will write to you again.`,
      ],
    }),
    'trade-account-approved': ({ businessName, shop }) => ({
      subject: 'Your trade account is approved',
      opening: [`Good news: the trade account of ${businessName} at ${shop} is approved. You can log in now.`],
      button: 'Log in',
    }),
    'trade-account-rejected': ({ businessName }) => ({
      subject: 'Your trade application was not accepted',
      opening: [`We are sorry: we could not accept the application of ${businessName} for a trade account.`],
      closing: ['You are welcome to apply again when this has changed.'],
    }),
    'trade-account-info-requested': ({ businessName }) => ({
      subject: 'We need more information for your trade application',
      opening: [
        `We are looking at the application of ${businessName} and need to know a little more before we can decide.`,
      ],
      middle: ['Please log in with your password and add what is missing.'],
      button: 'Log in',
    }),
    'trade-account-suspended': ({ businessName }) => ({
      subject: 'Your trade account is suspended',
      opening: [`The trade account of ${businessName} is suspended. It can't be used until this is settled.`],
      closing: ['If you have questions, please answer this mail.'],
    }),
    'trade-account-reinstated': ({ businessName }) => ({
      subject: 'Your trade account can be used again',
      opening: [`The suspension of the trade account of ${businessName} has ended. You can log in again.`],
      button: 'Log in',
    }),
    'wishlist-alert': ({ kind, product, now, was }) => ({
      subject: kind === 'back-in-stock' ? `${product} is back in stock` : `${product} costs less`,
      opening: [
        kind === 'back-in-stock'
          ? `${product} from your wishlist is back in stock, at ${now}.`
          : `${product} from your wishlist now costs ${now}${was === null ? '' : `; before it was ${was}`}.`,
      ],
      button: 'See your wishlist',
    }),
    'cart-left': ({ shop, first, more }) => ({
      subject: `You left ${first}${more === 0 ? '' : ` and ${more} more`} in your cart`,
      headline: 'Still in your cart',
      opening: [`You have not ordered yet what is in your cart at ${shop}:`],
      middle: ['Nothing is reserved, and prices may change until you order.'],
      button: 'See your cart',
    }),
    'order-confirmed': (order) => ({
      subject: `Your order${ofOrder(order.number)}`,
      headline: 'Thank you for your order',
      opening: [
        `Thank you for your order at ${order.shop}.${order.number === null ? '' : ` Its number is ${order.number}.`} This is what you ordered:`,
      ],
      middle: order.payment === 'invoice' ? ['The invoice comes in a mail of its own.'] : [],
      button: 'See your order',
      closing: openLink(order),
      notification: `Thank you: your order over ${order.total} is placed.`,
    }),
    'order-payment-failed': (order) => ({
      subject: 'The payment for your order did not go through',
      opening: [
        `The payment of ${order.total} for your order${ofOrder(order.number)} at ${order.shop} did not go through, so the order is not placed yet.`,
        'You can see the order, and pay again as long as it is kept for you.',
      ],
      button: 'See the order',
      closing: openLink(order),
    }),
    'order-cancelled': (order) => ({
      subject: `Your order${ofOrder(order.number)} was cancelled`,
      opening: [`Your order${ofOrder(order.number)} over ${order.total} at ${order.shop} was cancelled.`],
      middle: {
        card: ['If you have paid for it already, the money goes back the way it came.'],
        invoice: ['Nothing of it is to be paid.'],
        none: [],
      }[order.payment],
      button: 'See the order',
      closing: openLink(order),
    }),
    'order-shipped': (order) => ({
      subject: `Your order${ofOrder(order.number)} is on its way`,
      opening: [`This has left ${order.shop} for you:`],
      button: 'See the order',
      closing: openLink(order),
      notification: 'A parcel of your order has left the shop.',
    }),
    'order-delivered': (order) => ({
      subject: `Your order${ofOrder(order.number)} was delivered`,
      opening: [`All of your order at ${order.shop} was delivered:`],
      middle: ['If something of it is missing or broken, please tell us.'],
      button: 'See the order',
      closing: openLink(order),
      notification: 'All of your order was delivered.',
    }),
    'order-reduced': (order) => ({
      subject: `A part of your order${ofOrder(order.number)} was cancelled`,
      opening: [`This will not come with your order at ${order.shop}:`],
      middle:
        order.refund === null
          ? []
          : [
              order.payment === 'invoice'
                ? `${order.refund} comes off your invoice. The credit note comes in a mail of its own.`
                : `${order.refund} of what you have paid goes back the way it came.`,
            ],
      button: 'See the order',
      closing: openLink(order),
      notification: 'A part of your order was cancelled.',
    }),
    'order-refunded': (order) => ({
      subject: `A refund for your order${ofOrder(order.number)}`,
      opening: [
        order.payment === 'invoice'
          ? `${order.refund ?? 'Nothing'} comes off the invoice of your order at ${order.shop}. The credit note comes in a mail of its own.`
          : `${order.refund ?? 'Nothing'} of what you have paid for your order at ${order.shop} goes back the way it came.`,
      ],
      button: 'See the order',
      closing: openLink(order),
    }),
    'order-returned': (order) => ({
      subject: `Your return of order${ofOrder(order.number)} has arrived`,
      opening: [`This has come back to ${order.shop}:`],
      middle: order.payment === 'none' ? [] : ['If you get money back for it, we write to you again.'],
      button: 'See the order',
      closing: openLink(order),
      notification: 'What you sent back has arrived.',
    }),
    'invoice-issued': ({ number, total, owed, dueOn, paidByCredit, isPrepaid }) => ({
      subject: `Your invoice ${number}`,
      opening: [
        owed === null
          ? `Invoice ${number} over ${total} is paid ${isPrepaid ? 'with your order' : 'by the credit of your account'}.`
          : paidByCredit === null
            ? `Invoice ${number} over ${total} is due on ${dueOn}.`
            : `Invoice ${number} over ${total}: the credit of your account has paid ${paidByCredit}. The rest, ${owed}, is due on ${dueOn}.`,
        'The invoice is attached as a PDF.',
      ],
      button: owed === null ? 'See the invoice' : 'See and pay the invoice',
    }),
    'invoice-reminded': ({ number, owed, dueOn, days }) => {
      const toBePaid = `Please remember: ${owed} of invoice ${number} is to be paid by ${dueOn}.`;
      const words = {
        [-3]: { subject: `Invoice ${number} is due on ${dueOn}`, opening: [toBePaid] },
        0: { subject: `Invoice ${number} is due today`, opening: [toBePaid] },
        7: {
          subject: `Reminder: invoice ${number} is overdue`,
          opening: [`Invoice ${number} was due on ${dueOn}, and ${owed} of it is not paid. Please pay it now.`],
        },
        14: {
          subject: `Second reminder: invoice ${number} is overdue`,
          opening: [
            `Invoice ${number} was due on ${dueOn}, and ${owed} of it is still not paid. Please pay it at once.`,
          ],
        },
      };
      return { ...words[days], button: 'See and pay the invoice', closing: [crossedPayment] };
    },
    'invoice-overdue': ({ number, owed, dueOn }) => ({
      subject: `Invoice ${number} is overdue`,
      opening: [`Invoice ${number} was due on ${dueOn}, and ${owed} of it is not paid.`],
      button: 'See and pay the invoice',
      closing: [crossedPayment],
    }),
    'invoice-paid': ({ number, total }) => ({
      subject: `Invoice ${number} is paid`,
      opening: [`Thank you: invoice ${number} over ${total} is paid in full.`],
      button: 'See the invoice',
    }),
    'invoice-voided': ({ number, total }) => ({
      subject: `Invoice ${number} is void`,
      opening: [`Invoice ${number} over ${total} was issued by mistake. Nothing of it is owed.`],
      button: 'See the invoice',
    }),
    'credit-note-issued': ({ number, creditNote, credited, owed, dueOn }) => ({
      subject: `Credit note ${creditNote} for invoice ${number}`,
      opening: [
        `Credit note ${creditNote} takes ${credited} off invoice ${number}. ${owed === null ? 'Nothing of the invoice is owed any more.' : `Of the invoice, ${owed} is left to be paid by ${dueOn}.`}`,
        'The credit note is attached as a PDF.',
      ],
      button: owed === null ? 'See the invoice' : 'See and pay the invoice',
    }),
    'payment-received': ({ amount, invoices, credit }) => ({
      subject: 'Your payment has arrived',
      opening: [
        [
          `Thank you: your payment of ${amount} has arrived.`,
          ...(invoices.named.length > 0 ? [`It paid ${list(invoices)}.`] : []),
          ...(credit === null ? [] : [`${credit} is credit of your account, which pays your next invoice.`]),
        ].join(' '),
      ],
      button: 'See your invoices',
    }),
    'payment-refunded': ({ kind, amount, invoices, credit }) => ({
      subject: kind === 'refund' ? 'A payment was refunded' : 'A payment was disputed',
      opening: [
        [
          kind === 'refund'
            ? `${amount} of a payment was refunded to you.`
            : `${amount} of a payment went back by a dispute.`,
          ...(invoices.named.length > 0 ? [`This is owed again: ${list(invoices)}.`] : []),
          ...(credit === null ? [] : [`${credit} was taken from the credit of your account.`]),
        ].join(' '),
      ],
      button: 'See your invoices',
    }),
    'credit-warning': ({ outstanding, limit }) => ({
      subject: 'Your credit is nearly used up',
      opening: [
        `You owe ${outstanding} of your credit limit of ${limit}. An order beyond the limit can't be bought on account.`,
      ],
      button: 'See your invoices',
    }),
    'credit-exceeded': (input) => ({
      subject: 'An order was not invoiced',
      opening: [`Your order ${input.orderRef} was not invoiced: ${whyNotInvoiced(input)}.`],
      middle: ['Please pay what is owed, or answer this mail if you have questions.'],
      button: 'See your invoices',
    }),
    'user-export-ready': ({ shop, byStaff }) => ({
      subject: 'Your data is ready',
      opening: [
        byStaff
          ? `We at ${shop} have made a copy of your data, as we do for people who ask us for it. You can download it too, for 7 days.`
          : `The copy of your data at ${shop} that you asked for is ready. It can be downloaded for 7 days.`,
      ],
      button: 'Download your data',
      closing: [
        byStaff
          ? 'If you did not ask us for it, please answer this mail.'
          : 'If you did not ask for it, set a new password at once.',
      ],
    }),
    'account-erased': ({ shop, byStaff }) => ({
      subject: 'Your account is being erased',
      opening: [
        byStaff
          ? `We have begun to erase your account at ${shop} and everything that we keep about you.`
          : `As you asked, your account at ${shop} and everything that we keep about you is being erased.`,
        'This is our last mail to you. Should you come back, just register again: you are welcome.',
      ],
    }),
  },
  undone: {
    'email-changed': 'another email address',
    'password-changed': 'another password',
    'totp-added': 'an authenticator app that was added',
    'totp-removed': 'an authenticator app that was removed',
    'passkey-added': 'a passkey that was added',
    'passkey-removed': 'a passkey that was removed',
    'recovery-codes-made': 'new recovery codes',
  },
  quoteLabel: 'Our message about it:',
  figures: {
    invoice: 'Invoice',
    creditNote: 'Credit note',
    total: 'Total',
    owed: 'To be paid',
    dueOn: 'Due on',
    reference: 'Your reference',
    orderRef: 'Order',
    bank: 'Bank transfer to',
    paymentReference: 'Payment reference',
    creditLimit: 'Credit limit',
    outstanding: 'Owed now',
    subtotal: 'Items',
    discount: 'Discount',
    shipping: 'Shipping',
    tax: 'Tax',
    taxIncluded: 'Tax included',
    payment: 'Payment',
    carrier: 'Sent with',
    trackingNumber: 'Parcel number',
  },
  followParcel: 'Follow the parcel',
  payments: { card: 'By card', invoice: 'On account', none: 'Nothing to pay' },
  noSubject: (shop) => `A message from ${shop}`,
  footer: {
    because: (because, shop) =>
      ({
        'address-entered': `You get this mail because somebody entered this address at ${shop}.`,
        account: `You get this mail because you have an account at ${shop}.`,
        'trade-account': `You get this mail because you have a trade account at ${shop}, or have applied for one.`,
        wishlist: `You get this mail because the product is on your wishlist at ${shop}.`,
        order: `You get this mail because of an order at ${shop} with this address.`,
        offers: `You get this mail because you asked ${shop} for offers.`,
        marketing: `You get this mail because you asked ${shop} for news.`,
        erased: `You get this mail because you had an account at ${shop}.`,
        'sent-by-shop': `This is a message from ${shop} to you.`,
      })[because],
    choose: 'Choose which mails you get',
    unsubscribe: 'Get no more mails like this',
  },
  toAdministrators: {
    tradeAccountWaiting: (businessName) => ({
      title: 'A trade account waits for approval',
      body: `${businessName} applied for a trade account.`,
    }),
    discountRetaken: ({ orderRef, amount, campaigns }) => ({
      title: 'An order has discounts that were not held for it',
      body: `Order ${orderRef} was placed with ${amount} off that had been given back or used before. It counts again. ${
        campaigns.length === 0
          ? 'No limit was passed.'
          : `A limit was passed of ${campaigns.map((name) => `“${name}”`).join(', ')}.`
      }`,
    }),
    stockLow: ({ name, variant, sku, stock }) => ({
      title: stock === 0 ? 'A product is out of stock' : 'A product is running low',
      body: `“${name}”${variant === '' ? '' : `, ${variant}`} (${sku}): ${stock === 0 ? 'none' : stock} left.`,
    }),
    paymentWentBack: ({ amount, provider, kind }) => ({
      title: kind === 'refund' ? 'A payment was refunded' : 'A payment was disputed',
      body: `${amount} of a payment by ${provider} went back. What it had paid is owed again.`,
    }),
    paymentUnallocated: ({ amount, provider, reason }) => ({
      title: 'Money waits to be allocated',
      body: `${amount} came by ${provider} and paid nothing: ${unallocatedReasons[reason] ?? reason}.`,
    }),
    orderBeyondCredit: (input) => ({
      title: 'An order was not invoiced',
      body: `Order ${input.orderRef} was not invoiced: ${whyNotInvoiced(input)}.`,
    }),
    orderNotInvoiced: ({ orderRef, reason }) => ({
      title: 'An order can have no invoice',
      body: `Order ${orderRef} is on account but was not invoiced: ${
        {
          'not-a-trade-account': 'who placed it has no trade account',
          'other-currency': 'it is of another currency',
          'no-lines': 'it has no lines',
          'too-many-lines': 'it has too many lines',
          'totals-differ': 'its lines do not add up to its total',
        }[reason]
      }.`,
    }),
  },
  unsubscribing: {
    title: (shop) => `Mails from ${shop}`,
    question: (category, shop) =>
      `Do you want no more mails about ${category === 'offers' ? 'offers' : 'news and promotions'} from ${shop}?`,
    button: 'Get no more such mails',
    done: ['It is done: you get no more such mails.', 'You can switch them on again in your account.'],
  },
};
