import type { Hono } from 'hono';
import type { Cart, CartLine, Evaluation, Money } from '@storefront/client';
import { evaluate, readCart } from '../cart.ts';
import type { Ctx, Env } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { formOf, sent } from '../parts/form.ts';
import { page } from '../parts/layout.ts';
import { picture } from '../parts/products.ts';
import { problemOfForm } from '../parts/problems.ts';
import { totalsOf, type TotalsRow } from '../parts/totals.ts';
import type { Sentence } from '../words/translate.ts';

const lineProblems = {
  unavailable: 'This is not for sale any more.',
  not_enough_stock: 'There are only {count} of these.',
  price_changed: 'The price has changed since you put it in.',
} as const satisfies Record<NonNullable<CartLine['problem']>, Sentence>;

export function cartPages(app: Hono<Env>): void {
  app.get('/cart', (c) => show(c));

  app.post('/cart', async (c) => {
    const { api } = c.var;
    const values = await sent(c);
    const cart = await readCart(c);
    if (!cart) return c.redirect('/cart', 303);
    try {
      const params = { id: cart.id };
      if (values.remove) await api.carts.removeCartLine({ params: { ...params, variantId: values.remove } });
      for (const { variantId, quantity, problem } of cart.lines) {
        const wanted = Number(values[`quantity.${variantId}`] ?? quantity);
        // Setting a line again accepts its new price.
        if (variantId !== values.remove && (wanted !== quantity || problem === 'price_changed'))
          await (wanted === 0
            ? api.carts.removeCartLine({ params: { ...params, variantId } })
            : api.carts.setCartLine({ params: { ...params, variantId }, body: { quantity: wanted } }));
      }
      const codes = cart.codes.filter((code) => code !== values.forget);
      if (values.code && !codes.includes(values.code)) codes.push(values.code);
      if (codes.join() !== cart.codes.join()) await api.carts.changeCart({ params, body: { codes } });
    } catch (error) {
      return show(c, formOf(c, values, problemOfForm(error)).problem);
    }
    return c.redirect('/cart', 303);
  });
}

async function show(c: Ctx, problem: Html = nothing): Promise<Response> {
  const { t, money } = c.var;
  const cart = await readCart(c);
  if (!cart || cart.lines.length === 0)
    return page(c, {
      title: t('Cart'),
      body: html`<div class="empty">
        <h1>${t('Your cart is empty')}</h1>
        <p>${t('It keeps what you choose for 30 days.')}</p>
        <p><a class="button" href="/search">${t('See everything')}</a></p>
      </div>`,
    });
  const evaluation = await evaluate(c, cart);
  const total = evaluation?.total ?? cart.subtotal;
  return page(c, {
    title: t('Cart'),
    body: html`
      <h1>${t('Cart')}</h1>
      ${problem}
      <form class="cart" method="post" action="/cart">
        <div>
          <ul class="lines">
            ${cart.lines.map((line) => cartLine(c, line))}
          </ul>
          <p class="row"><button class="quiet">${t('Update the cart')}</button></p>
        </div>
        <aside class="sum">
          <h2>${t('Summary')}</h2>
          ${totalsOf([
            [t('Goods'), money(cart.subtotal)],
            ...discounts(c, evaluation),
            [t('Total'), money(total), 'total'],
          ])}
          <p class="hint">${cart.taxIncluded ? t('With tax, plus shipping') : t('Tax and shipping come on top')}</p>
          ${nudge(c, evaluation)} ${codes(c, cart, evaluation)}
          <p><a class="button wide" href="/checkout">${t('To the checkout')}</a></p>
        </aside>
      </form>
    `,
  });
}

function cartLine(c: Ctx, line: CartLine): Html {
  const { t, money } = c.var;
  const { name, values, image, quantity, unitPrice, subtotal, variantId, problem, available } = line;
  return html`<li class="line">
    ${picture(image === null ? undefined : { url: image, alt: '' }, '6rem')}
    <div>
      <h2>${name}</h2>
      <p class="hint">${values.join(', ')} ${money(unitPrice)}</p>
      ${problem ? html`<p class="wrong">${t(available === 0 ? 'This is sold out.' : lineProblems[problem], { count: available })}</p>` : nothing}
      <p class="row">
        <label class="amount">
          <span class="unseen">${t('Quantity of {name}', { name })}</span>
          <input type="number" name="quantity.${variantId}" value="${quantity}" min="0" max="999" required />
        </label>
        <button class="link" name="remove" value="${variantId}" aria-label="${t('Remove {name}', { name })}">
          ${t('Remove')}
        </button>
      </p>
    </div>
    <p class="price">${money(subtotal)}</p>
  </li>`;
}

/** A row for each campaign that takes something off. */
export function discounts(c: Ctx, evaluation: Evaluation | undefined): TotalsRow[] {
  const applied = evaluation?.campaigns.filter(({ applied, amount }) => applied && amount.amount > 0) ?? [];
  return takenOff(c, applied);
}

export const takenOff = (
  c: Ctx,
  discounts: readonly { readonly name: string; readonly amount: Money }[],
): TotalsRow[] => discounts.map(({ name, amount }) => [name, `−${c.var.money(amount)}`, 'off']);

/** How much is missing for the next discount. */
function nudge(c: Ctx, evaluation: Evaluation | undefined): Html {
  const next = evaluation?.campaigns.find(({ missing }) => missing !== null);
  if (!next?.missing) return nothing;
  return html`<p class="nudge">
    ${c.var.t('{amount} more, and you get “{name}”.', { amount: c.var.money(next.missing), name: next.name })}
  </p>`;
}

function codes(c: Ctx, cart: Cart, evaluation: Evaluation | undefined): Html {
  const { t } = c.var;
  const applied = new Set(evaluation?.codes.filter(({ status }) => status === 'applied').map(({ code }) => code));
  return html`
    ${cart.codes.map(
      (code) =>
        html`<p class="code ${applied.has(code) ? '' : 'wrong'}">
          <span>${code}: ${applied.has(code) ? t('applied') : t('gives nothing for this cart')}</span>
          <button class="link" name="forget" value="${code}" aria-label="${t('Remove {name}', { name: code })}">
            ${t('Remove')}
          </button>
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
