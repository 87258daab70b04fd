import { countryName } from '../countries.ts';
import { html, type Ctx, type Html } from '../context.ts';
import type { Values } from './form.ts';

/** The place of a form, as addresses of the API have it. What is missing is refused by the API, by its field. */
export const placeOf = ({ homeAddress = '', city = '', country = '', state }: Values) => ({
  homeAddress,
  city,
  country,
  state,
});

interface Address {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string | null;
  readonly homeAddress: string;
  readonly city: string;
  readonly country: string;
}

/** An address in lines. */
export function addressLines(c: Ctx, { firstName, lastName, company, homeAddress, city, country }: Address): Html {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const lines = [name, company, ...homeAddress.split('\n'), city, countryName(country, c.var.language)].filter(Boolean);
  return html`<address>${lines.map((line) => html`${line}<br />`)}</address>`;
}
