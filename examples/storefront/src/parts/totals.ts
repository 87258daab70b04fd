import type { Money } from '@storefront/client';
import type { Ctx } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';

/** Undefined is no row. */
export type TotalsRow = readonly [name: string, value: string, kind?: 'total' | 'off' | 'hint'] | undefined;

/** Names with their amounts. */
export const totalsOf = (rows: readonly TotalsRow[]): Html =>
  html`<dl class="totals">
    ${rows.map((row) => {
      if (!row) return nothing;
      const [name, value, kind = ''] = row;
      return html`<div class="${kind}">
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`;
    })}
  </dl>`;

/** A row for each discount. */
export const takenOff = (c: Ctx, discounts: readonly { name: string; amount: Money }[]): TotalsRow[] =>
  discounts
    .filter(({ amount }) => amount.amount > 0)
    .map(({ name, amount }) => [name, `−${c.var.money(amount)}`, 'off']);
