import { http, Refusal, type OperationSpec } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRequestCheck } from '../src/check-request.ts';

describe('a request body', () => {
  const operation: OperationSpec = {
    id: 'change',
    method: 'POST',
    path: '/v1/things',
    access: 'public',
    body: z.strictObject({ email: http.emailAddress, address: z.strictObject({ city: http.line(10) }) }),
    responses: { 200: null },
    tags: [],
    summary: 'Change',
  };
  const check = createRequestCheck(operation);

  /** What the body is refused with; undefined where it is taken. */
  function refusalOf(body: unknown): unknown {
    try {
      check({ body, headers: {} } as never);
      return undefined;
    } catch (error) {
      return error;
    }
  }
  const wrongFields = (body: unknown) =>
    (refusalOf(body) as Refusal).fields?.map(({ pointer, code }) => [pointer, code]);

  it('is refused with every wrong field at once', () => {
    const body = { email: 'no', address: { city: 'x'.repeat(11), 'a/b': 1 }, role: 'admin' };
    expect(refusalOf(body)).toBeInstanceOf(Refusal);
    expect(refusalOf(body)).toMatchObject({ code: 'validation_failed', kind: 'invalid' });
    expect(wrongFields(body)).toEqual([
      ['/email', 'invalid_format'],
      ['/address/city', 'too_big'],
      ['/address/a~1b', 'unknown_field'],
      ['/role', 'unknown_field'],
    ]);
  });

  it('is refused in words that a form can show', () => {
    const things: OperationSpec = {
      ...operation,
      body: z.strictObject({
        name: http.line(3),
        note: z.string().min(2),
        tags: z.array(z.string()).min(1).max(2),
        pieces: z.int().min(1),
      }),
    };
    const checkThings = createRequestCheck(things);
    const messagesOf = (body: unknown): Record<string, string> => {
      try {
        checkThings({ body, headers: {} } as never);
        return {};
      } catch (error) {
        return Object.fromEntries((error as Refusal).fields?.map(({ pointer, message }) => [pointer, message]) ?? []);
      }
    };
    expect(messagesOf({ name: '', note: 'a', tags: [], pieces: 0 })).toEqual({
      '/name': 'must not be empty',
      '/note': 'must have at least 2 characters',
      '/tags': 'must have at least 1 entry',
      '/pieces': 'must be at least 1',
    });
    expect(messagesOf({ name: 'name', note: 'ab', tags: ['a', 'b', 'c'], pieces: 1 })).toEqual({
      '/name': 'must have at most 3 characters',
      '/tags': 'must have at most 2 entries',
    });
  });

  it('is not judged further where it holds more than 5,000 values, at any depth', () => {
    const deep = JSON.parse(`${'['.repeat(5001)}${']'.repeat(5001)}`) as unknown;
    const known = { email: 'a@example.com', address: { city: 'a' } };
    expect(wrongFields({ ...known, address: deep })).toEqual([['/address', 'too_big']]);
    expect(wrongFields({ ...known, address: Array.from({ length: 5001 }, () => 1) })).toEqual([
      ['/address', 'too_big'],
    ]);
    expect(wrongFields(Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [at, 1])))).toEqual([
      ['', 'too_big'],
    ]);
    expect(wrongFields(Array.from({ length: 4998 }, () => 1))).toEqual([['', 'invalid_type']]);
  });

  it('gets another code for a missing field than for one of another type', () => {
    expect(wrongFields({ email: { $ne: null } })).toEqual([
      ['/email', 'invalid_type'],
      ['/address', 'required'],
    ]);
  });

  it('has no text, nor name of a field, with half of a surrogate pair, at any depth', () => {
    const loose = createRequestCheck({ ...operation, body: z.object({ a: z.unknown(), b: z.unknown() }) });
    const refused = (body: unknown) => {
      try {
        loose({ body, headers: {} } as never);
        return [];
      } catch (error) {
        return (error as Refusal).fields?.map(({ pointer, code }) => [pointer, code]);
      }
    };
    expect(refused({ a: [{ 'b\u{1f375}': '\ud83c\udf75' }], b: 1 })).toEqual([]);
    expect(refused({ a: [[{ x: '\udf75\ud83c' }]], b: 'b' })).toEqual([['/a', 'invalid_encoding']]);
    expect(refused({ a: 1, b: [{ 'x\ud800': 1 }] })).toEqual([['/b', 'invalid_encoding']]);
    expect(refused({ a: 1, b: 1, '\ud800': 1 })).toEqual([['/\ud800', 'invalid_encoding']]);
  });

  it.each(['a\u0000b', 'a\nb', '\ud800'])('holds no control characters or broken Unicode: %j', (city) => {
    expect(refusalOf({ email: 'a@example.com', address: { city: 'a' } })).toBeUndefined();
    expect(refusalOf({ email: 'a@example.com', address: { city } })).toBeInstanceOf(Refusal);
  });
});

it('the headers of an operation are held to their schema', () => {
  const operation: OperationSpec = {
    id: 'echo',
    method: 'POST',
    path: '/v1/echo',
    access: 'public',
    headers: z.object({ dnt: z.string().max(16).optional() }),
    responses: { 202: null },
    tags: [],
    summary: 'Echo',
  };
  const check = (headers: object) => createRequestCheck(operation)({ headers } as never);
  check({});
  check({ dnt: '1', accept: '*/*' });
  expect(() => check({ dnt: '1'.repeat(17) })).toThrow(
    expect.objectContaining({ fields: [expect.objectContaining({ pointer: '/dnt', in: 'header', code: 'too_big' })] }),
  );
});
