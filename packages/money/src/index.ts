export { exponentOf, inMajorUnits, type Money } from './currency.ts';
export { fromDecimal, toDecimal } from './decimal.ts';
export { product, sum, type Exact } from './exact.ts';
export { divideHalfUp, share } from './share.ts';
export { spread, type Part } from './spread.ts';
