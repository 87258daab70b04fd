import type { Cart, CartLine, Evaluation } from '@storefront/client';
import { evaluate, readCart } from '../cart.ts';
import { html, type App, type Ctx, type Html } from '../context.ts';
import { formPage, type Form, type Values } from '../parts/form.ts';
import { notePage, page } from '../parts/layout.ts';
import { amount, lineList, removeButton, takenOff, pairList } from '../parts/lists.ts';
import type { Sentence } from '../words/translate.ts';

const lineProblems = {
  unavailable: 'This is not for sale any more.',
  not_enough_stock: 'There are only {count} of these.',
  price_changed: 'The price has changed since you put it in.',
} as const satisfies Record<NonNullable<CartLine['problem']>, Sentence>;

export function cartPages(app: App): void {
  formPage(app, '/cart', show, async (c, values) => {
    const { api } = c.var;
    const cart = await readCart(c);
    const params = { id: cart?.id ?? '' };
    for (const { variantId, quantity, problem } of cart?.lines ?? []) {
      const wanted = values.remove === variantId ? 0 : Number(values[`quantity.${variantId}`] ?? quantity);
      if (wanted === 0) await api.carts.removeCartLine({ params: { ...params, variantId } });
      // Setting a line again accepts its new price.
      else if (wanted !== quantity || problem === 'price_changed')
        await api.carts.setCartLine({ params: { ...params, variantId }, body: { quantity: wanted } });
    }
    const codes = new Set(cart?.codes);
    if (values.forget) codes.delete(values.forget);
    if (values.code) codes.add(values.code);
    if (cart && [...codes].join() !== cart.codes.join())
      await api.carts.changeCart({ params, body: { codes: [...codes] } });
    return c.redirect('/cart', 303);
  });
}

async function show(c: Ctx, { values, problem }: Form): Promise<Response> {
  const { t, money } = c.var;
  const cart = await readCart(c);
  if (!cart || cart.lines.length === 0)
    return notePage(c, t('Your cart is empty'), t('It keeps what you choose for 30 days.'));
  const evaluation = await evaluate(c, cart);
  const lines = cart.lines.map((line) => ({
    ...line,
    name: html`<a href="/wishlist/products/${line.productId}">${line.name}</a>`,
    hint: [line.values.join(', '), money(line.unitPrice)].filter(Boolean).join(' · '),
    more: lineFields(c, line, values),
    price: line.subtotal,
  }));
  const body = html`
    <h1>${t('Cart')}</h1>
    ${problem}
    <form class="cart" method="post" action="/cart">
      <div>
        ${lineList(c, lines)}
        <p class="row"><button class="quiet">${t('Update the cart')}</button></p>
      </div>
      <aside class="sum">
        <h2>${t('Summary')}</h2>
        ${pairList([
          [t('Goods'), money(cart.subtotal)],
          ...discounts(c, evaluation),
          [t('Total'), money(evaluation?.total ?? cart.subtotal), 'total'],
        ])}
        <p class="hint">${cart.taxIncluded ? t('With tax, plus shipping') : t('Tax and shipping come on top')}</p>
        ${nudge(c, evaluation)} ${codes(c, cart, evaluation)}
        <p><a class="button wide" href="/checkout">${t('To the checkout')}</a></p>
      </aside>
    </form>
  `;
  return page(c, t('Cart'), body);
}

/** What is wrong with a line. */
export const lineSentence = ({ var: { t } }: Ctx, { problem, available }: CartLine) =>
  problem && t(available === 0 ? 'This is sold out.' : lineProblems[problem], { count: available });

function lineFields(c: Ctx, line: CartLine, values: Values): Html {
  const { t } = c.var;
  const { name, quantity, variantId } = line;
  const field = `quantity.${variantId}`;
  const label = html`<span class="unseen">${t('Quantity of {name}', { name })}</span>`;
  const sentence = lineSentence(c, line);
  return html`
    ${sentence && html`<p class="wrong">${sentence}</p>`}
    <p class="row">
      ${amount(label, field, values[field] ?? quantity, 0)} ${removeButton(c, 'remove', variantId, name)}
    </p>
  `;
}

/** A row for each campaign that takes something off. */
export const discounts = (c: Ctx, evaluation: Evaluation | undefined) =>
  takenOff(c, evaluation?.campaigns.filter(({ applied }) => applied) ?? []);

/** How much is missing for the next discount. */
function nudge(c: Ctx, evaluation: Evaluation | undefined): Html {
  const next = evaluation?.campaigns.find(({ missing }) => missing !== null);
  if (!next?.missing) return undefined;
  const { t, money } = c.var;
  return html`<p class="notice">
    ${t('{amount} more, and you get “{name}”.', { amount: money(next.missing), name: next.name })}
  </p>`;
}

function codes(c: Ctx, cart: Cart, evaluation: Evaluation | undefined): Html {
  const { t } = c.var;
  const applied = new Set(evaluation?.codes.filter(({ status }) => status === 'applied').map(({ code }) => code));
  return html`
    ${cart.codes.map(
      (code) =>
        html`<p class="code ${!applied.has(code) && 'wrong'}">
          <span>${code}: ${applied.has(code) ? t('applied') : t('gives nothing for this cart')}</span>
          ${removeButton(c, 'forget', code, code)}
        </p>`,
    )}
    <div class="row">
      <label class="grow">
        <span class="unseen">${t('Discount code')}</span>
        <input name="code" placeholder="${t('Discount code')}" maxlength="40" autocomplete="off" />
      </label>
      <button class="quiet">${t('Use')}</button>
    </div>
  `;
}
