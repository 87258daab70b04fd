import { http } from '@storefront/contracts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { serializerCompiler } from '../src/serialization.ts';

it('writes only what the schema names', () => {
  const schema = z.object({
    id: z.string(),
    phone: z.string().nullable(),
    at: http.timestamp,
    kind: z.enum(['a', 'b']),
    nested: z.object({ n: z.int(), free: z.record(z.string(), z.unknown()) }).nullable(),
    list: z.array(z.object({ x: z.number().optional() })),
  });
  const write = serializerCompiler({ schema } as never);
  const whole = {
    id: '1',
    phone: null,
    at: '2026-11-21T09:30:00.000Z',
    kind: 'a',
    nested: { n: 1, free: { any: [1, 'x', null] } },
    list: [{ x: 1.5 }, {}],
  };
  expect(JSON.parse(write({ ...whole, passwordHash: 'secret', nested: { ...whole.nested, secret: 1 } }))).toEqual(
    whole,
  );
  expect(JSON.parse(write({ ...whole, phone: '1', nested: null }))).toEqual({ ...whole, phone: '1', nested: null });
});
