export { exponentOf, inMajorUnits } from './currency.ts';
export type { Money } from './currency.ts';
export { fromDecimal, toDecimal } from './decimal.ts';
export { product, sum } from './exact.ts';
export type { Exact } from './exact.ts';
export { divideHalfUp, share } from './share.ts';
export { spread } from './spread.ts';
export type { Part } from './spread.ts';
