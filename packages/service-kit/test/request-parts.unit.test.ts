import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { http } from '@storefront/contracts';
import { configTypes, ConfigError, createCursors, loadConfig, Problem, toPage } from '../src/index.ts';
import { serializerCompiler } from '../src/serialization.ts';
import { validatorCompiler } from '../src/validation.ts';

describe('a request body', () => {
  const schema = z.strictObject({ email: http.emailAddress, address: z.strictObject({ city: http.line(10) }) });
  const validate = validatorCompiler({ schema, httpPart: 'body', method: 'POST', url: '/' });
  const check = (value: unknown) => validate(value) as { error?: unknown };

  it('is answered with every wrong field at once', () => {
    const { error } = check({ email: 'no', address: { city: 'x'.repeat(11), 'a/b': 1 }, role: 'admin' });
    expect(error).toBeInstanceOf(Problem);
    expect((error as Problem).errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/email', 'invalid_format'],
      ['/address/city', 'too_big'],
      ['/address/a~1b', 'unknown_field'],
      ['/role', 'unknown_field'],
    ]);
  });

  it('is told apart when a field is missing and when it is of another type', () => {
    const { error } = check({ email: { $ne: null } });
    expect((error as Problem).errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/email', 'invalid_type'],
      ['/address', 'required'],
    ]);
  });

  it.each(['a\u0000b', 'a\nb', '\ud800'])('holds no control characters or broken Unicode: %j', (city) => {
    expect(check({ email: 'a@example.com', address: { city } }).error).toBeInstanceOf(Problem);
  });
});

describe('an answer', () => {
  it('holds only what its schema names', () => {
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
});

describe('a cursor', () => {
  const cursors = createCursors('a secret of more than 32 characters ..');

  it('comes back as the position that was written', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer())), (position) => {
        expect(cursors.read('list', 'owner', cursors.write('list', 'owner', position))).toEqual(position);
      }),
    );
  });

  it.each([
    ['another list', 'other', 'owner', (text: string) => text],
    ['another owner', 'list', 'other', (text: string) => text],
    ['a changed body', 'list', 'owner', (text: string) => `x${text}`],
    ['no signature', 'list', 'owner', (text: string) => text.split('.')[0] ?? ''],
    ['nothing', 'list', 'owner', () => ''],
  ])('is refused with %s', (_what, list, owner, change) => {
    const text = change(cursors.write('list', 'owner', ['2026-11-21', 'id']));
    expect(() => cursors.read(list, owner, text)).toThrow(Problem);
  });

  it('is given only where there is more', () => {
    expect(toPage([1, 2, 3], 2, (n) => n, String)).toEqual({ data: [1, 2], nextCursor: '2' });
    expect(toPage([1, 2], 2, (n) => n, String)).toEqual({ data: [1, 2], nextCursor: null });
  });
});

describe('a configuration', () => {
  const schema = z.object({
    PORT: configTypes.port.default(0),
    API_SECRET: configTypes.secret,
    MONGODB_URL: configTypes.mongodbUrl,
  });

  it('names every wrong variable at once', () => {
    const wrong = { PORT: 'x', API_SECRET: 'change-me-change-me-change-me-change-me' };
    expect(() => loadConfig(schema, wrong)).toThrow(ConfigError);
    expect(() => loadConfig(schema, wrong)).toThrow(
      /PORT: .*\n {2}API_SECRET: .*example value.*\n {2}MONGODB_URL: is required/,
    );
  });

  it('is read with its defaults', () => {
    const given = { API_SECRET: 'k'.repeat(32), MONGODB_URL: 'mongodb://127.0.0.1:27017/identity', PORT: '' };
    expect(loadConfig(schema, given)).toEqual({
      PORT: 0,
      API_SECRET: given.API_SECRET,
      MONGODB_URL: given.MONGODB_URL,
    });
  });
});
