export { countryInAddress, countryNamed, nameOfCountry } from './names.ts';
export { isInEuVatArea, vatAreaOf } from './vat-areas.ts';
export { vatNumberOf, type VatNumber } from './vat-numbers.ts';
