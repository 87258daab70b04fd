import { http, idPatterns, idSchema } from '@storefront/contracts';
import { expect, it, vi } from 'vitest';
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

it('escapes every text but ids', () => {
  const schema = z.object({
    id: idSchema('prod'),
    other: idSchema('cat').nullable(),
    ids: z.array(idSchema('user')),
    name: z.string(),
  });
  const write = serializerCompiler({ schema } as never);
  const id = 'prod_01h455vb4pex5vsknk084sn02q';
  const value = { id, other: null, ids: ['user_01h455vb4pex5vsknk084sn02q'], name: 'A "mug" \\ of\u0000 tea' };
  expect(JSON.parse(write(value))).toEqual(value);
  expect(JSON.parse(write({ ...value, other: 'cat_01h455vb4pex5vsknk084sn02q' })).other).toMatch(/^cat_/);
});

it('writes a union by the branch that fits, without a word in the log', () => {
  const warned = vi.spyOn(console, 'warn');
  const retail = z.object({ id: idSchema('user'), locale: z.enum(['en', 'de']).nullable() });
  const schema = z.union([retail, z.object({ status: z.literal('waits') })]);
  const write = serializerCompiler({ schema } as never);
  const id = 'user_01h455vb4pex5vsknk084sn02q';
  for (const locale of ['de', null])
    expect(write({ id, locale, passwordHash: 'secret' })).toBe(JSON.stringify({ id, locale }));
  expect(write({ status: 'waits', passwordHash: 'secret' })).toBe('{"status":"waits"}');
  expect(warned).not.toHaveBeenCalled();
});

it('writes currencies as they are', () => {
  const write = serializerCompiler({ schema: http.money } as never);
  expect(write({ amount: 1999, currency: 'EUR' })).toBe('{"amount":1999,"currency":"EUR"}');
  for (const other of ['"EU', 'E\\U', 'EU\n', 'EUR\n']) expect(other).not.toMatch(http.currencyPattern);
});

it('knows ids by patterns that match nothing JSON escapes', () => {
  const escaped = [...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)), '"', '\\', '\ud800'];
  for (const pattern of idPatterns) {
    const [prefix] = /[a-z]+/.exec(pattern) ?? [];
    const id = `${prefix}_01h455vb4pex5vsknk084sn02q`;
    expect(id).toMatch(new RegExp(pattern));
    for (const text of escaped)
      for (const other of [`${text}${id}`, `${id}${text}`, id.replace('5', text)])
        expect(other).not.toMatch(new RegExp(pattern));
  }
});
