import { expect, it } from 'vitest';
import { medianOf } from './median.ts';

it.each([
  [null, {}],
  [null, { other: 3, 'days:4': 2, 'hours:7': 0 }],
  [12, { 'hours:12': 1 }],
  [3, { 'hours:9': 1, 'hours:1': 1, 'hours:3': 1 }],
  [6, { 'hours:9': 1, 'hours:3': 1 }],
  [3, { 'hours:10': 2, 'hours:3': 3 }],
  [6.5, { 'hours:10': 3, 'hours:3': 3 }],
  [0.35, { 'hours:5e-1': 1, 'hours:2e-1': 1, 'days:100': 50 }],
])('%s is the median of %j', (median, measures) => {
  expect(medianOf(measures, 'hours')).toBe(median);
});
