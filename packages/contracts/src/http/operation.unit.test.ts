import { expect, test } from 'vitest';
import { z } from 'zod';
import { mergeOperations, operation, operationsOf, sendsETag, takesIfMatch, takesIfNoneMatch } from './operation.ts';
import { staffInWords, staffOf } from './who-may.ts';

const read = operation({
  id: 'read',
  method: 'GET',
  path: '/v1/things/{id}',
  access: 'user',
  params: z.object({ id: z.string() }),
  responses: { 200: z.string() },
  tags: [],
  summary: 'Read a thing',
});

test('an operation takes exactly the parameters of its path, in their order', () => {
  expect(() => operation({ ...read, path: '/v1/things/{thingId}' })).toThrow(
    'read: the path has the parameters [thingId], params has [id]',
  );
  expect(() => operation({ ...read, path: '/v1/things' })).toThrow('read: the path has');
  const params = z.object({ b: z.string(), a: z.string() });
  expect(() => operation({ ...read, path: '/v1/{a}/{b}', params })).toThrow('read: the path has');
});

test('operations are found by their ids', () => {
  const change = operation({ ...read, id: 'change', method: 'PATCH' });
  expect(operationsOf(read, change)).toEqual({ read, change });
});

test('two operations with the same id are refused, also in different groups', () => {
  expect(() => operationsOf(read, { ...read, method: 'PATCH' })).toThrow('two operations have the id read');
  expect(() => mergeOperations(operationsOf(read), operationsOf(read))).toThrow('two operations have the id read');
});

test('groups of operations become one', () => {
  const change = operation({ ...read, id: 'change', method: 'PATCH' });
  expect(mergeOperations(operationsOf(read), operationsOf(change))).toEqual({ read, change });
});

const of = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', versioned?: true | 'weak', status = 200) => {
  const spec = { ...read, method, responses: { [status]: null }, ...(versioned ? { versioned } : {}) };
  return [sendsETag(spec), takesIfNoneMatch(spec), takesIfMatch(spec)];
};

test.each([
  ['a read', of('GET', true), [true, true, false]],
  ['a read with a weak tag', of('GET', 'weak'), [true, false, false]],
  ['a change', of('PATCH', true), [true, false, true]],
  ['an action', of('POST', true), [true, false, true]],
  ['a creation', of('POST', true, 201), [true, false, false]],
  ['a deletion', of('DELETE', true, 204), [false, false, true]],
  ['a read without a version', of('GET'), [false, false, false]],
  ['a change without a version', of('PATCH'), [false, false, false]],
])('%s: ETag, If-None-Match, If-Match', (_what, found, expected) => {
  expect(found).toEqual(expected);
});

test('roles of staff are named where an access leaves room for them, and nowhere else', () => {
  expect(() => operation({ ...read, access: 'staff' })).toThrow('read: its access staff does not go with its roles');
  for (const access of ['admin', 'trade', 'system'] as const)
    expect(() => operation({ ...read, access, roles: ['sales'] })).toThrow('does not go with its roles');
  expect(() => operation({ ...read, scope: 'users:read' })).toThrow('read: a scope is for operations of staff');
  expect(staffOf(operation({ ...read, access: 'staff', roles: ['sales'] }))).toEqual(['admin', 'sales']);
  expect(staffOf(operation({ ...read, roles: ['sales'] }))).toEqual(['admin', 'sales']);
  expect(staffOf({ access: 'admin' })).toEqual(['admin']);
  expect(staffOf(read)).toEqual([]);
  expect([read, { ...read, roles: ['sales'] as const }].map(staffInWords)).toEqual([
    undefined,
    'administrators, `sales`',
  ]);
});
