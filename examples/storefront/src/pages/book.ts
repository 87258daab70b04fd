import type { Hono } from 'hono';
import type { ApiError } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { homeCountry } from '../countries.ts';
import { html, nothing, type Html } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { addressLines, nameFields, phoneField, placeFields, placeOf } from '../parts/address.ts';
import { formOf, formPage, narrowForm, type Form, type Values } from '../parts/form.ts';
import type { Sentence } from '../words/translate.ts';

const [addressPath, recipientPath] = ['/account/addresses', '/account/recipients'];

/** What an account keeps to order with: its own addresses, and other people for whom it orders. */
export function bookPages(app: Hono<Env>): void {
  formPage(app, addressPath, addresses, async (c, values) => {
    const { addresses: book } = c.var.api;
    const { remove, prefer, contactPhone = '' } = values;
    if (remove) await book.deleteAddress({ params: { addressId: remove } });
    else if (prefer) await book.changeAddress({ params: { addressId: prefer }, body: { isDefault: true } });
    else await book.addAddress({ body: { ...placeOf(values), contactPhone } });
    return c.redirect(`${addressPath}?done=${remove ? 'deleted' : 'saved'}`, 303);
  });

  formPage(app, recipientPath, recipients, async (c, values) => {
    const { customers } = c.var.api;
    const { remove, firstName = '', lastName = '', note, homeAddress } = values;
    const address = homeAddress ? placeOf(values) : undefined;
    if (remove) await customers.deleteCustomer({ params: { id: remove } });
    else await customers.addCustomer({ body: { firstName, lastName, note, address } });
    return c.redirect(`${recipientPath}?done=${remove ? 'deleted' : 'saved'}`, 303);
  });
}

async function addresses(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { api, t } = c.var;
  const { data } = await api.addresses.listAddresses({ query: { limit: 50 } });
  const form = formOf(c, { country: homeCountry, ...values }, error);
  const items = data.map(
    ({ id, isDefault, contactPhone, ...address }) =>
      html`${addressLines(c, address)}
        <p class="hint">${contactPhone}${isDefault ? html` · <b>${t('Default')}</b>` : nothing}</p>
        <p class="row">
          ${isDefault ? nothing : html`<button class="link" name="prefer" value="${id}">${t('Make it the default')}</button>`}
          <button class="link" name="remove" value="${id}">${t('Delete')}</button>
        </p>`,
  );
  const fields = html`${placeFields(c, form)} ${phoneField(form, false, 'contactPhone')}`;
  const intro = data.length === 0 ? t('There is no address yet.') : '';
  return accountPage(c, 'Addresses', book(c, addressPath, { intro, items, form, heading: 'Add an address', fields }));
}

async function recipients(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { api, t } = c.var;
  const { data } = await api.customers.listCustomers({ query: { limit: 50, q: c.req.query('q') } });
  const form = formOf(c, { country: homeCountry, ...values }, error);
  const items = data.map(
    ({ id, firstName, lastName, address, note, orderCount }) =>
      html`${address ? addressLines(c, { firstName, lastName, ...address }) : html`<p>${firstName} ${lastName}</p>`}
        <p class="hint">
          ${orderCount === 1 ? t('1 order') : t('{count} orders', { count: orderCount })}${note ? ` · ${note}` : ''}
        </p>
        <button class="link" name="remove" value="${id}">${t('Delete')}</button>`,
  );
  const fields = html`${nameFields(form)} ${placeFields(c, form)}
  ${form.field('note', 'A note for yourself', { optional: true, rows: 2, maxlength: 1000 })}`;
  const intro = t('People for whom you order. Orders add theirs by themselves.');
  return accountPage(
    c,
    'Recipients',
    book(c, recipientPath, { intro, items, form, heading: 'Add a recipient', fields }),
  );
}

interface Book {
  readonly intro: string;
  readonly items: readonly Html[];
  readonly form: Form;
  readonly heading: Sentence;
  readonly fields: Html;
}

/** What is kept, and the form that adds to it. */
const book = (c: Ctx, path: string, { intro, items, form, heading, fields }: Book): Html => html`
  <p>${intro}</p>
  <form method="post" action="${path}">
    <ul class="items">
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
  </form>
  ${narrowForm(c, path, form, { heading: html`<h2>${c.var.t(heading)}</h2>`, fields, button: 'Save' })}
`;
