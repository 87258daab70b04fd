import { html, type App, type Ctx, type Html } from '../context.ts';
import { homeCountry } from '../countries.ts';
import { addressLines, placeOf } from '../parts/address.ts';
import { formPage, narrowForm, type Form } from '../parts/form.ts';
import { accountPage } from '../parts/layout.ts';
import type { Sentence } from '../words/translate.ts';

/** What an account keeps to order with: its own addresses, and other people for whom it orders. */
export function bookPages(app: App): void {
  formPage(app, '/account/addresses', addresses, async (c, values) => {
    const { addresses: book } = c.var.api;
    const { remove, prefer, contactPhone = '' } = values;
    if (remove) await book.deleteAddress({ params: { addressId: remove } });
    else if (prefer) await book.changeAddress({ params: { addressId: prefer }, body: { isDefault: true } });
    else await book.addAddress({ body: { ...placeOf(values), contactPhone } });
    return remove ? 'deleted' : 'saved';
  });

  formPage(app, '/account/recipients', recipients, async (c, values) => {
    const { customers } = c.var.api;
    const { remove, firstName = '', lastName = '', note, homeAddress } = values;
    const address = homeAddress ? placeOf(values) : undefined;
    if (remove) await customers.deleteCustomer({ params: { id: remove } });
    else await customers.addCustomer({ body: { firstName, lastName, note, address } });
    return remove ? 'deleted' : 'saved';
  });
}

async function addresses(c: Ctx, typed: Form): Promise<Response> {
  const { api, t } = c.var;
  const { data } = await api.addresses.listAddresses({ query: { limit: 50 } });
  const form = typed.startingWith({ country: homeCountry });
  const items = data.map(
    ({ id, isDefault, contactPhone, ...address }) =>
      html`${addressLines(c, address)}
        <p class="hint">${contactPhone}${isDefault && html` · <b>${t('Default')}</b>`}</p>
        <p class="row">
          ${!isDefault && html`<button class="link" name="prefer" value="${id}">${t('Make it the default')}</button>`}
          <button class="link" name="remove" value="${id}">${t('Delete')}</button>
        </p>`,
  );
  const fields = form.fields('homeAddress', ['city', 'country'], 'contactPhone');
  const intro = data.length === 0 ? t('There is no address yet.') : '';
  return bookPage(c, 'Addresses', form, { intro, items, heading: 'Add an address', fields });
}

async function recipients(c: Ctx, typed: Form): Promise<Response> {
  const { api, t } = c.var;
  const { data } = await api.customers.listCustomers({ query: { limit: 50, q: c.req.query('q') } });
  const form = typed.startingWith({ country: homeCountry });
  const items = data.map(
    ({ id, firstName, lastName, address, note, orderCount }) =>
      html`${address ? addressLines(c, { firstName, lastName, ...address }) : html`<p>${firstName} ${lastName}</p>`}
        <p class="hint">
          ${orderCount === 1 ? t('1 order') : t('{count} orders', { count: orderCount })}${note && ` · ${note}`}
        </p>
        <button class="link" name="remove" value="${id}">${t('Delete')}</button>`,
  );
  const fields = html`${form.fields(['firstName', 'lastName'], 'homeAddress', ['city', 'country'])}
  ${form.field('note', { label: 'A note for yourself' })}`;
  const intro = t('People for whom you order. Orders add theirs by themselves.');
  return bookPage(c, 'Recipients', form, { intro, items, heading: 'Add a recipient', fields });
}

interface Book {
  readonly intro: string;
  readonly items: readonly Html[];
  readonly heading: Sentence;
  readonly fields: Html;
}

/** What is kept, and the form that adds to it. */
function bookPage(c: Ctx, title: Sentence, form: Form, { intro, items, heading, fields }: Book): Promise<Response> {
  const body = html`
    <p>${intro}</p>
    <form method="post" action="${c.req.path}">
      <ul class="items">
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>
    </form>
    ${narrowForm(c, c.req.path, form, { heading: html`<h2>${c.var.t(heading)}</h2>`, fields, button: 'Save' })}
  `;
  return accountPage(c, title, body);
}
