import type { Hono } from 'hono';
import type { ApiError } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { homeCountry } from '../countries.ts';
import { html, nothing } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { addressLines, nameFields, placeFields, placeOf } from '../parts/address.ts';
import { formOf, pick, sent, type Values } from '../parts/form.ts';
import { problemOfForm } from '../parts/problems.ts';

/** What an account keeps to order with: its own addresses, and other people for whom it orders. */
export function bookPages(app: Hono<Env>): void {
  app.get('/account/addresses', (c) => addresses(c));

  app.post('/account/addresses', async (c) => {
    const { addresses: book } = c.var.api;
    const values = await sent(c);
    const { remove, prefer, contactPhone = '' } = values;
    try {
      if (remove) await book.deleteAddress({ params: { addressId: remove } });
      else if (prefer) await book.changeAddress({ params: { addressId: prefer }, body: { isDefault: true } });
      else await book.addAddress({ body: { ...placeOf(values), contactPhone } });
    } catch (error) {
      return addresses(c, values, problemOfForm(error));
    }
    return c.redirect(`/account/addresses?done=${remove ? 'deleted' : 'saved'}`, 303);
  });

  app.get('/account/recipients', (c) => recipients(c));

  app.post('/account/recipients', async (c) => {
    const { customers } = c.var.api;
    const values = await sent(c);
    const { remove, firstName = '', lastName = '', homeAddress } = values;
    try {
      if (remove) await customers.deleteCustomer({ params: { id: remove } });
      else
        await customers.addCustomer({
          body: { firstName, lastName, ...pick(values, 'note'), ...(homeAddress && { address: placeOf(values) }) },
        });
    } catch (error) {
      return recipients(c, values, problemOfForm(error));
    }
    return c.redirect(`/account/recipients?done=${remove ? 'deleted' : 'saved'}`, 303);
  });
}

async function addresses(c: Ctx, values: Values = {}, error?: ApiError<string>): Promise<Response> {
  const { api, t } = c.var;
  const { data } = await api.addresses.listAddresses({ query: { limit: 50 } });
  const form = formOf(c, { country: homeCountry, ...values }, error);
  return accountPage(
    c,
    'Addresses',
    html`
      ${data.length === 0 ? html`<p>${t('There is no address yet.')}</p>` : nothing}
      <form method="post" action="/account/addresses">
        <ul class="items">
          ${data.map(
            ({ id, isDefault, contactPhone, ...address }) =>
              html`<li>
                ${addressLines(c, address)}
                <p class="hint">${contactPhone}${isDefault ? html` · <b>${t('Default')}</b>` : nothing}</p>
                <p class="row">
                  ${isDefault ? nothing : html`<button class="link" name="prefer" value="${id}">${t('Make it the default')}</button>`}
                  <button class="link" name="remove" value="${id}">${t('Delete')}</button>
                </p>
              </li>`,
          )}
        </ul>
      </form>
      <form class="stack narrow" method="post" action="/account/addresses">
        <h2>${t('Add an address')}</h2>
        ${form.problem} ${placeFields(c, form)}
        ${form.field('contactPhone', 'Phone', { type: 'tel', autocomplete: 'tel', maxlength: 32 })}
        <button>${t('Save')}</button>
      </form>
    `,
  );
}

async function recipients(c: Ctx, values: Values = {}, error?: ApiError<string>): Promise<Response> {
  const { api, t } = c.var;
  const q = c.req.query('q')?.trim();
  const { data } = await api.customers.listCustomers({ query: { limit: 50, ...(q && { q }) } });
  const form = formOf(c, { country: homeCountry, ...values }, error);
  return accountPage(
    c,
    'Recipients',
    html`
      <p>${t('People for whom you order. Orders add theirs by themselves.')}</p>
      <form method="post" action="/account/recipients">
        <ul class="items">
          ${data.map(
            ({ id, firstName, lastName, address, note, orderCount }) =>
              html`<li>
                ${address ? addressLines(c, { firstName, lastName, ...address }) : html`<p>${firstName} ${lastName}</p>`}
                <p class="hint">
                  ${orderCount === 1 ? t('1 order') : t('{count} orders', { count: orderCount })}${note ? ` · ${note}` : ''}
                </p>
                <button class="link" name="remove" value="${id}">${t('Delete')}</button>
              </li>`,
          )}
        </ul>
      </form>
      <form class="stack narrow" method="post" action="/account/recipients">
        <h2>${t('Add a recipient')}</h2>
        ${form.problem} ${nameFields(form)} ${placeFields(c, form)}
        ${form.field('note', 'A note for yourself', { optional: true, rows: 2, maxlength: 1000 })}
        <button>${t('Save')}</button>
      </form>
    `,
  );
}
