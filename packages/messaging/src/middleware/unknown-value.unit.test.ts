import { expect, test } from 'vitest';
import { z } from 'zod';
import { isOnlyUnknown } from './unknown-value.ts';

const contract = z.object({
  status: z.enum(['draft', 'active']),
  kind: z.literal('order').optional(),
  level: z.literal([1, 2]).optional(),
  by: z
    .discriminatedUnion('who', [
      z.object({ who: z.literal('user'), id: z.string() }),
      z.object({ who: z.literal('order') }),
    ])
    .optional(),
  lines: z.array(z.object({ unit: z.enum(['piece', 'kg']), amount: z.number() })).default([]),
  price: z.union([z.number(), z.enum(['free'])]).optional(),
});

function isUnknown(data: unknown): boolean {
  const { error } = contract.safeParse(data);
  if (!error) throw new Error('the data fits');
  return isOnlyUnknown(error.issues, data);
}

test.each([
  ['a member of an enum', { status: 'archived' }],
  ['a literal', { status: 'draft', kind: 'refund' }],
  ['a number', { status: 'draft', level: 3 }],
  ['a variant of a union', { status: 'draft', by: { who: 'robot' } }],
  ['a value in a list', { status: 'draft', lines: [{ unit: 'litre', amount: 1 }] }],
  ['a value in a union', { status: 'draft', price: 'on-request' }],
  ['two of them', { status: 'archived', lines: [{ unit: 'litre', amount: 1 }] }],
])('may be known to a newer version: %s', (_what, data) => {
  expect(isUnknown(data)).toBe(true);
});

test.each([
  ['another type', { status: 5 }],
  ['null', { status: null }],
  ['a field that is missing', {}],
  ['a discriminator that is missing', { status: 'draft', by: {} }],
  ['a discriminator of another type', { status: 'draft', by: { who: 5 } }],
  ['a wrong field of a known variant', { status: 'draft', by: { who: 'user', id: 5 } }],
  ['a value of none of the types of a union', { status: 'draft', price: true }],
  ['an unknown value beside a wrong field', { status: 'archived', lines: [{ unit: 'litre', amount: 'one' }] }],
  ['no object at all', null],
])('is wrong in every version: %s', (_what, data) => {
  expect(isUnknown(data)).toBe(false);
});
