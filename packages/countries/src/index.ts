export { countryInAddress, countryNamed, nameOfCountry } from './names.ts';
export { isInEuVatArea, vatAreaOf } from './vat-areas.ts';
export { vatNumberOf } from './vat-numbers.ts';
export type { VatNumber } from './vat-numbers.ts';
