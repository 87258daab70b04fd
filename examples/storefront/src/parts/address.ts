import { countryName, countryOptions } from '../countries.ts';
import type { Ctx } from '../context.ts';
import { html, type Html } from '../html.ts';
import type { Form, Values } from './form.ts';

export const nameFields = (form: Form): Html => html`
  <div class="pair">
    ${form.field('firstName', 'First name', { autocomplete: 'given-name', maxlength: 100 })}
    ${form.field('lastName', 'Last name', { autocomplete: 'family-name', maxlength: 100 })}
  </div>
`;

export const phoneField = (form: Form, optional = false, name = 'phone'): Html =>
  form.field(name, 'Phone', { type: 'tel', autocomplete: 'tel', maxlength: 32, optional });

export const emailField = (
  form: Form,
  autocomplete: 'email' | 'username',
  label: 'Email' | 'New email' = 'Email',
): Html => form.field('email', label, { type: 'email', autocomplete, maxlength: 254 });

export const placeFields = (c: Ctx, form: Form): Html => html`
  ${form.field('homeAddress', 'Street and number', { autocomplete: 'street-address' })}
  <div class="pair">
    ${form.field('city', 'Postcode and city', { autocomplete: 'address-level2', maxlength: 100 })}
    ${form.select('country', 'Country', countryOptions(c.var.language))}
  </div>
`;

/** The place of a form, as addresses of the API have it. What is missing is refused by the API, by its field. */
export const placeOf = ({ homeAddress = '', city = '', country = '', state }: Values) => ({
  homeAddress,
  city,
  country,
  state,
});

/** An address in lines. */
export const addressLines = (c: Ctx, address: AnAddress): Html => {
  const { firstName, lastName, company, homeAddress, city, country } = address;
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const lines = [name, company, ...homeAddress.split('\n'), city, countryName(country, c.var.language)].filter(Boolean);
  return html`<address>${lines.map((line) => html`${line}<br />`)}</address>`;
};

interface AnAddress {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string | null;
  readonly homeAddress: string;
  readonly city: string;
  readonly country: string;
}
