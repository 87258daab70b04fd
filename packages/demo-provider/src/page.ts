import { toDecimal, type Money } from '@storefront/money';
import type { Delivery } from './delivery.ts';
import { leftOf, type Capture, type Payment } from './payment.ts';

/** HTML that is already escaped and safe to put into a page. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[] | null;

/** A template for HTML. Its values are escaped, except values that are already `Html`. */
function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(parts.reduce((text, part, at) => text + shown(values[at - 1] ?? null) + part));
}

function shown(value: Part): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export interface PaymentPage {
  readonly shopName: string;
  readonly amount: Money;
  /** The numbers of the invoices, or the id of the order. */
  readonly purpose: readonly string[];
  /** The address of the shop to which the payer returns; null if the shop has given none. */
  readonly returnUrl: string | null;
  /** The address of this page. Its forms are sent to the same address. */
  readonly address: string;
  readonly payment: Payment;
  readonly deliveries: readonly Delivery[];
  /** Why the last action was refused; null if it was not. */
  readonly refusal: string | null;
}

/**
 * The page on which a payment is made. It works without scripts; with scripts, its list of callbacks is updated
 * automatically.
 */
export function paymentPage(page: PaymentPage): string {
  const { shopName, amount, purpose, returnUrl, address, payment, deliveries, refusal } = page;
  const content = html`
    <h1>Pay ${shopName}</h1>
    ${refusal === null ? null : html`<p class="refusal" role="alert">${refusal}</p>`}
    <dl>
      <dt>Amount</dt>
      <dd class="amount">${moneyText(amount)}</dd>
      <dt>For</dt>
      <dd>${purpose.join(', ')}</dd>
      <dt>Payment</dt>
      <dd><code>${payment.id}</code></dd>
    </dl>
    ${payment.isClosed ? html`<p>The shop has closed this payment. Nothing more can be paid here.</p>` : payForms(page)}
    ${returnUrl === null ? null : html`<p><a href="${returnUrl}">Back to ${shopName}</a></p>`}
    ${payment.captures.length === 0 ? null : html`<h2>What was paid</h2>`}
    ${payment.captures.map((capture, at) => captureForm(capture, at, address))} ${callbackList(deliveries, address)}
  `;
  return document(`Pay ${shopName}`, content);
}

function payForms({ amount, address }: PaymentPage): Html {
  return html`<form method="post" action="${address}">
      <div class="buttons">
        <button class="main" name="action" value="pay">Pay ${moneyText(amount)}</button>
        <button name="action" value="pay-twice">Pay twice</button>
        <button name="action" value="fail">Fail</button>
      </div>
      ${howToSend('pay')}
    </form>
    <form method="post" action="${address}">
      ${amountField('part', 'Part, in', amount.currency)}
      <button name="action" value="part">Pay a part</button>
      ${howToSend('part')}
    </form>`;
}

/** The page with all callbacks to the shop. */
export function allPage(shopName: string, deliveries: readonly Delivery[]): string {
  return document(
    'Demo payment provider',
    html`<h1>Demo payment provider of ${shopName}</h1>
      <p>A payment is paid at the address that the shop gives for it.</p>
      ${callbackList(deliveries, '/')}`,
  );
}

/** The page for an address with which nothing can be paid. */
export function refusedPage(sentence: string): string {
  return document(
    'No payment',
    html`<h1>No payment</h1>
      <p>${sentence}</p>`,
  );
}

function captureForm(capture: Capture, at: number, address: string): Html {
  const { amount, reference, returned, isDisputed } = capture;
  const left = leftOf(capture);
  const gone = returned === 0 ? '' : `, ${moneyText({ ...amount, amount: returned })} went back`;
  const label = `${moneyText(amount)}${gone}${isDisputed ? ', disputed' : ''}`;
  if (left === 0) return html`<p>${label} <small>${reference}</small></p>`;
  return html`<form method="post" action="${address}">
    <p>${label} <small>${reference}</small></p>
    <input type="hidden" name="reference" value="${reference}" />
    ${amountField(`back-${at}`, 'Amount, in', amount.currency, toDecimal({ ...amount, amount: left }))}
    <button name="action" value="refund">Refund</button>
    <button name="action" value="dispute">Dispute</button>
    ${howToSend(`back-${at}`)}
  </form>`;
}

function amountField(id: string, label: string, currency: string, value = ''): Html {
  return html`<label for="${id}-amount">${label} ${currency}</label>
    <input
      id="${id}-amount"
      name="amount"
      value="${value}"
      inputmode="decimal"
      autocomplete="off"
      required
      size="12"
    />`;
}

function howToSend(id: string): Html {
  return html`<details>
    <summary>How its callbacks are sent</summary>
    <p>
      <label for="${id}-late">Late, by seconds</label>
      <input id="${id}-late" name="late" type="number" min="0" max="3600" value="0" />
    </p>
    <p>
      <input id="${id}-twice" name="twice" type="checkbox" value="yes" />
      <label for="${id}-twice">Each of them twice</label>
    </p>
    <p>
      <input id="${id}-order" name="outOfOrder" type="checkbox" value="yes" />
      <label for="${id}-order">Out of order: this one after the next one of this payment, or after a minute</label>
    </p>
  </details>`;
}

function callbackList(deliveries: readonly Delivery[], address: string): Html {
  if (deliveries.length === 0) return html`<section id="callbacks"></section>`;
  const isWaiting = deliveries.some(({ state }) => state === 'waiting');
  return html`<section id="callbacks" aria-live="polite" data-waiting="${isWaiting ? 'yes' : 'no'}">
    <h2>What the shop was told</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Callback</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        ${deliveries.map(
          (delivery) =>
            html`<tr>
              <td>${delivery.type ?? 'of another form'}<br /><small>${delivery.eventId ?? ''}</small></td>
              <td class="${delivery.state}">${stateText(delivery)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${isWaiting ? html`<p><a href="${address}">Look again</a></p>` : null}
  </section>`;
}

/** The state of a delivery, as a text for people. */
export function stateText({ state, attempts, dueAt, isHeld }: Delivery): string {
  const last = attempts.at(-1);
  const answer = last && (last.status === undefined ? `not delivered (${last.error})` : `answered ${last.status}`);
  const tries = attempts.length > 1 ? ` at attempt ${attempts.length}` : '';
  const time = new Date(dueAt).toTimeString().slice(0, 8);
  switch (state) {
    case 'delivered':
      return `${answer}${tries}`;
    case 'refused':
      return `${answer}${tries}; not sent again`;
    case 'given-up':
      return `${answer}${tries}; given up after a day`;
    case 'waiting':
      if (isHeld) return `pending: waits for the next callback, until ${time} at most`;
      return answer ? `${answer}${tries}; tried again at ${time}` : `pending: sent at ${time}`;
  }
}

/** An amount with its currency, such as `120.00 EUR`. */
function moneyText(money: Money): string {
  return `${toDecimal(money)} ${money.currency}`;
}

function document(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/style.css" />
        <script src="/renew.js" defer></script>
      </head>
      <body>
        <header class="notice">Demo payment provider for development: no money moves.</header>
        <main>${content}</main>
      </body>
    </html> `.text;
}

export const styleSheet = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: #8886; --accent: #1d5fa8; }
body { margin: 0; background: light-dark(#fff, #16181c); color: light-dark(#1b1d21, #e8eaed); }
a { color: light-dark(#1d5fa8, #8ab8f0); }
.notice { margin: 0; padding: .4rem 1rem; background: #ffd866; color: #3a2c00; text-align: center; font-size: .9rem; }
main { max-width: 36rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; margin: 1rem 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 0 0 1rem; align-items: baseline; }
dd { margin: 0; overflow-wrap: anywhere; }
.amount { font-size: 1.6rem; font-weight: 600; }
form { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: .75rem 0; }
form > p:first-child { margin-top: 0; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
button, input { font: inherit; padding: .45rem .9rem; border-radius: .4rem; border: 1px solid #888; }
input { padding: .45rem .6rem; max-width: 8rem; }
button { cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: #fff; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
details { margin-top: .75rem; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .4rem .5rem .4rem 0; border-bottom: 1px solid var(--line); }
small { opacity: .8; overflow-wrap: anywhere; }
.refusal { border-left: .3rem solid #b3261e; padding: .5rem .75rem; }
.delivered::before { content: "\\2713  "; }
.refused::before, .given-up::before { content: "\\2717  "; }
.waiting::before { content: "\\2026  "; }
`;

/**
 * Loads the newest list of callbacks every second while one of them is waiting. The list is replaced only if it has
 * changed, so that a screen reader reports only changes.
 */
export const renewScript = `const list = document.querySelector('#callbacks');
const isPending = () => list?.dataset.waiting === 'yes';
const renew = async () => {
  const answer = await fetch(location.href).catch(() => undefined);
  const newest = answer?.ok && new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#callbacks');
  if (newest && newest.innerHTML !== list.innerHTML) list.replaceChildren(...newest.childNodes);
  if (newest) list.dataset.waiting = newest.dataset.waiting;
  if (isPending()) setTimeout(renew, 1000);
};
if (isPending()) setTimeout(renew, 1000);
`;
