import { expect, test } from 'vitest';
import { findSlow, type RanQuery } from '../src/queries.ts';

const read = (command: object): RanQuery => ({
  collection: 'notifications',
  command: JSON.stringify(command),
  plan: 'IXSCAN { outbox.type: 1, _id: 1 }',
  documentsExamined: 148,
  keysExamined: 296,
  returned: 1,
  sorted: false,
});

test('measuring the outboxes may read every waiting document, another query may not', () => {
  const counted = { $group: { _id: null, depth: { $sum: 1 }, largestBytes: { $max: 1 } } };
  const measurement = read({ aggregate: 'notifications', pipeline: [counted] });
  const other = read({ aggregate: 'notifications', pipeline: [] });
  expect(findSlow([measurement, other], 60)).toEqual({ byNoIndex: [], readMuch: [other], sorted: [] });
});
