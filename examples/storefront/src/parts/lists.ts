import type { Money } from '@storefront/client';
import { html, type Ctx, type Html } from '../context.ts';
import type { Sentence } from '../words/translate.ts';
import { picture } from './products.ts';

interface Line {
  readonly image: string | null;
  readonly name: string | Html;
  readonly hint: string | Html;
  readonly more?: Html;
  readonly price: Money;
}

/** Products one below the other: of a cart, an order or a wishlist. */
export const lineList = (c: Ctx, lines: readonly Line[]): Html =>
  html`<ul class="lines">
    ${lines.map(
      ({ image, name, hint, more, price }) =>
        html`<li class="line">
          ${picture(image, '6rem')}
          <div>
            <h2>${name}</h2>
            <p class="hint">${hint}</p>
            ${more}
          </div>
          <p class="price">${c.var.money(price)}</p>
        </li>`,
    )}
  </ul>`;

/** The button of a line or a code that takes it away. */
export const removeButton = (c: Ctx, field: string, value: string, name: string): Html =>
  html`<button class="link" name="${field}" value="${value}" aria-label="${c.var.t('Remove {name}', { name })}">
    ${c.var.t('Remove')}
  </button>`;

/** A field for a number of pieces. */
export const amount = (label: string | Html, name: string, value: string | number, min: number, max = 999): Html =>
  html`<label class="amount">
    ${label} <input type="number" name="${name}" value="${value}" min="${min}" max="${max}" required />
  </label>`;

interface Choice {
  readonly name: string;
  readonly value: string;
  readonly isChosen: boolean;
  readonly text: string | Html;
  readonly price?: string;
  readonly isPossible?: boolean;
  readonly attributes?: Html;
}

/** Things of which one is chosen, each with what it costs. */
export const choices = (legend: string, list: readonly Choice[], more?: Html): Html =>
  html`<fieldset class="choices">
    <legend>${legend}</legend>
    ${list.map(
      ({ name, value, isChosen, text, price, isPossible = true, attributes }) =>
        html`<label class="choice">
          <input
            type="radio"
            name="${name}"
            value="${value}"
            required
            ${attributes}
            ${isChosen && isPossible && 'checked'}
            ${!isPossible && 'disabled'}
          />
          <span>${text}</span>
          ${price && html`<span class="price">${price}</span>`}
        </label>`,
    )}
    ${more}
  </fieldset>`;

/** A table that scrolls by itself where it is wider than the page. */
export function table(
  c: Ctx,
  label: Sentence,
  columns: readonly (readonly [name: Sentence, kind?: 'number'])[],
  rows: readonly (readonly (string | number | Html)[])[],
): Html {
  const { t } = c.var;
  const kindOf = (at: number) => columns[at]?.[1] ?? '';
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${t(label)}">
    <table class="plain">
      <thead>
        <tr>
          ${columns.map(([name], at) => html`<th class="${kindOf(at)}">${t(name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, at) => html`<td class="${kindOf(at)}">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The link to what comes next in a list, with the choices of its address. */
export function nextLink(c: Ctx, cursor: string | null, label: Sentence): Html {
  if (cursor === null) return undefined;
  const query = new URLSearchParams(new URL(c.req.url).search);
  query.set('cursor', cursor);
  return html`<p class="more"><a class="button quiet" href="?${query}">${c.var.t(label)}</a></p>`;
}

/** A name and what it has, or nothing. */
export type Pair = readonly [name: string, value: string, kind?: 'total' | 'off' | 'hint'] | false | null;

/** Names one below the other: with their amounts, or with what is known of a product. */
export const pairList = (rows: readonly Pair[], kind: 'totals' | 'facts' = 'totals'): Html =>
  html`<dl class="${kind}">
    ${rows.map(
      (row) =>
        row &&
        html`<div class="${row[2] ?? ''}">
          <dt>${row[0]}</dt>
          <dd>${row[1]}</dd>
        </div>`,
    )}
  </dl>`;

/** A row for each discount. */
export const takenOff = (c: Ctx, discounts: readonly { name: string; amount: Money }[]): Pair[] =>
  discounts
    .filter(({ amount }) => amount.amount > 0)
    .map(({ name, amount }) => [name, `−${c.var.money(amount)}`, 'off']);
