import { operations, scopes, type OperationSpec } from '@storefront/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../src/index.ts';
import { newServer, tokenOf, tokenOfProgram } from './kit.ts';

// Operations of the gateway itself look at no token.
const specs = Object.entries(operations).flatMap(([service, group]): OperationSpec[] =>
  service === 'gateway' ? [] : Object.values(group),
);

let server: Server;
beforeAll(() => {
  server = newServer();
  for (const { id, access, roles, scope, alsoFor } of specs) {
    const config = { access, ...(roles && { roles }), ...(scope && { scope }), ...(alsoFor && { alsoFor }) };
    server.app.get(`/of/${id}`, { config }, ({ asStaff }) => ({ asStaff }));
  }
});
afterAll(() => server.app.close());

describe('a program', () => {
  it.each([...scopes, ''])(
    'with the scope "%s" alone may call what names it, as staff, and nothing else',
    async (held) => {
      const headers = await tokenOfProgram(held === '' ? [] : [held]);
      for (const { id, scope } of specs) {
        const { statusCode, json } = await server.app.inject({ url: `/of/${id}`, headers });
        const { asStaff, code, scope: needed } = json();
        const wanted = scope === held ? [200, true] : [403, undefined, 'scope_required', scope ?? null];
        expect([id, ...[statusCode, asStaff, code, needed].slice(0, wanted.length)]).toEqual([id, ...wanted]);
      }
    },
  );

  it('with all scopes may do less than an administrator', async () => {
    const program = await tokenOfProgram(scopes);
    const admin = await tokenOf('admin');
    const allowed = async (headers: Record<string, string>) => {
      const answers = await Promise.all(
        specs.map(async ({ id }) => [id, (await server.app.inject({ url: `/of/${id}`, headers })).statusCode] as const),
      );
      return answers.flatMap(([id, status]) => (status === 200 ? [id] : []));
    };
    const mayProgram = await allowed(program);
    expect(mayProgram).toEqual(specs.flatMap(({ id, scope }) => (scope === undefined ? [] : [id])));
    expect(await allowed(admin)).toEqual(expect.arrayContaining(mayProgram));
  });
});
