import type { Money } from '@storefront/client';
import type { Ctx } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
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
      ({ image, name, hint, more = nothing, price }) =>
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

/** A table that scrolls by itself where it is wider than the page. */
export function table(
  c: Ctx,
  label: Sentence,
  columns: readonly (readonly [name: Sentence, kind?: 'number'])[],
  rows: readonly (readonly (string | number | Html)[])[],
): Html {
  const { t } = c.var;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${t(label)}">
    <table class="plain">
      <thead>
        <tr>
          ${columns.map(([name, kind]) => html`<th class="${kind ?? ''}">${t(name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, at) => html`<td class="${columns[at]?.[1] ?? ''}">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The link to what comes next in a list, with the choices of its address. */
export function nextLink(c: Ctx, cursor: string | null, label: Sentence): Html {
  if (cursor === null) return nothing;
  const query = new URLSearchParams(new URL(c.req.url).search);
  query.set('cursor', cursor);
  return html`<p class="more"><a class="button quiet" href="?${query}">${c.var.t(label)}</a></p>`;
}
