import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { accountErrors } from '../errors/account.ts';
import { catalogErrors } from '../errors/catalog.ts';
import { commonErrors } from '../errors/common.ts';
import { engagementErrors } from '../errors/engagement.ts';
import { identityErrors } from '../errors/identity.ts';
import { api } from './api.ts';
import { errorsOf } from './common-errors.ts';
import { identityInternalOperations } from './identity.ts';
import type { OperationSpec } from './operation.ts';
import { scopes } from '../scope.ts';
import { operations, serviceNames } from './operations.ts';

const published: OperationSpec[] = Object.values(operations).flatMap((group) => Object.values(group));
const all: OperationSpec[] = [...published, ...Object.values(identityInternalOperations)];

test('no two operations of the system share an id, or method and path', () => {
  const ids = all.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const routes = all.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
});

test('every service has operations, and only the gateway has some besides', () => {
  expect(Object.keys(operations)).toEqual([...serviceNames, 'gateway']);
});

test('a code is one error', () => {
  const errors = [commonErrors, identityErrors, accountErrors, catalogErrors, engagementErrors];
  const codes = errors.flatMap((group) => Object.values(group).map(({ code }) => code));
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test('what is below /internal/ is for the gateway, and nothing else is', () => {
  const system = all.filter(({ access }) => access === 'system').map(({ path }) => path);
  expect(system).toEqual(all.map(({ path }) => path).filter((path) => path.startsWith('/internal/')));
});

test('what is below /v1/auth/ has the small budget, but for refreshing tokens and ending sessions; nothing else has', () => {
  const others: Record<string, string> = {
    refreshTokens: 'refresh',
    keepConsoleSession: 'refresh',
    refreshConsoleSession: 'refresh',
    endConsoleSession: 'refresh',
    logOut: 'ending',
    endSession: 'ending',
    receiveCallback: 'callbacks',
  };
  for (const { id, path, budget } of all)
    expect([id, budget]).toEqual([id, others[id] ?? (path.startsWith('/v1/auth/') ? 'auth' : undefined)]);
});

test('the tag of every published operation is described', () => {
  const tags = new Set(published.flatMap(({ tags: ofOperation }) => ofOperation));
  expect([...tags].toSorted()).toEqual(Object.keys(api.tags).toSorted());
});

test('API tokens get what is for staff, and nothing by which somebody gets power over accounts', () => {
  const scoped = published.filter(({ scope }) => scope !== undefined);
  expect(new Set(scoped.map(({ scope }) => scope))).toEqual(new Set(scopes));
  for (const { id, method, scope = '' } of scoped) {
    const isRead = method === 'GET' || id === 'evaluateDiscounts';
    expect([id, scope]).toEqual([id, expect.stringMatching(isRead ? /:read$/ : /:write$/)]);
  }
  const guarded = new Set([
    'auth',
    'second factor',
    'users',
    'staff',
    'API tokens',
    'audit',
    'addresses',
    'wishlist',
    'customers',
  ]);
  expect(scoped.filter(({ tags }) => tags.some((tag) => guarded.has(tag)))).toEqual([]);
});

describe.each(all.map((spec): [string, OperationSpec] => [spec.id, spec]))('%s', (_id, spec) => {
  const { params, query, headers, body, responses } = spec;

  test('is described in words', () => {
    expect(spec.summary).toMatch(/^[A-Z][^\n.]*$/);
    expect(spec.description).toMatch(/^[A-Z`0-9][^\n]*\.$/);
    expect(spec.tags).toHaveLength(1);
  });

  test('describes every parameter, with an example', () => {
    for (const part of [params, query, headers]) {
      for (const field of propertiesOf(part)) {
        expect(field).toMatchObject({ description: expect.stringMatching(/^[A-Z`][^\n]*\.$/) });
        expect(field).toMatchObject({ examples: [expect.anything()] });
      }
    }
  });

  test('has a named body with an example that it takes', () => {
    if (!body) return;
    const { id, examples = [] } = z.globalRegistry.get(body) ?? {};
    expect(id).toMatch(/^[A-Z]\w+$/);
    expect(examples).not.toHaveLength(0);
    for (const example of examples as unknown[]) expect(body.safeParse(example)).toMatchObject({ success: true });
  });

  test('names the schemas of its answers', () => {
    if (spec.access === 'system') return;
    const schemas = Object.values(responses).flatMap((response) => {
      const schema =
        response instanceof z.ZodType ? response : (response?.described ?? response?.event ?? response?.body);
      return schema ? [schema] : [];
    });
    for (const schema of schemas) expect(z.globalRegistry.get(schema)?.id).toMatch(/^[A-Z]\w+$/);
  });

  test('declares no error twice, and none that follows anyway', () => {
    const own = (spec.errors ?? []).map(({ code }) => code);
    const { errors: _own, ...rest } = spec;
    const following = new Set(errorsOf(rest).map(({ code }) => code));
    expect(own.filter((code, index) => own.indexOf(code) !== index || following.has(code))).toEqual([]);
  });
});

function propertiesOf(schema: z.ZodObject | undefined) {
  const fields = Object.entries(schema?.shape ?? {});
  return fields.map(([name, field]) => ({ name, ...metaOf(field as z.ZodType) }));
}

// What wraps a field, such as a default, may be described by the field inside.
function metaOf(schema: z.ZodType): { description?: string | undefined; examples?: unknown } {
  const inner = 'innerType' in schema.def ? metaOf(schema.def.innerType as z.ZodType) : {};
  return { ...inner, ...z.globalRegistry.get(schema) };
}
