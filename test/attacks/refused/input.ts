import { gzipSync } from 'node:zlib';
import { operations as specs, type OperationSpec } from '@storefront/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { deepJson, forbiddenFields, spoiledFields, spoiltText, withField } from './bodies.ts';
import { fill, rows, type JsonSchema, type Operation } from '../matrix/operations.ts';
import { ownerOf, type Row } from '../matrix/row.ts';
import type { Fixtures } from '../matrix/fixtures.ts';
import type { Call } from '../system/caller.ts';
import type { Seen } from '../system/leaks.ts';
import { sendRaw, statuses } from '../system/raw.ts';
import type { System } from '../system/system.ts';
import type { Attacked } from './attacked.ts';

/** A route that takes a body, one that it would take, and where to send it. */
interface Target {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly schema: JsonSchema;
  readonly takesText: boolean;
  readonly takesNoBody: boolean;
  /** Only pages of the API's own origin may call it. */
  readonly sameOrigin: boolean;
  readonly good: Record<string, unknown>;
}

let system: System;
let fixtures: Fixtures;
let operations: Map<string, Operation>;
const targets = new Map<string, Target>();
const withBody = Object.entries(rows).flatMap(([name, row]) => (row.body ? [name] : []));
/** The first of each service, and those that do not read their body as all others do. */
const readersOfBodies = Object.values(specs).flatMap((ofService) => {
  const takeOne = Object.values(ofService).filter(({ id }) => withBody.includes(id));
  return takeOne.filter((spec: OperationSpec, at) => at === 0 || spec.alsoAsText || spec.optionalBody || spec.gateway);
});
/** The lists, of things that exist. */
const lists: { readonly id: string; readonly path: string; readonly token: string }[] = [];
let before: Record<string, string>;

async function targetOf({ spec, bodySchema }: Operation, row: Row): Promise<Target> {
  const { id: operationId, method, path } = spec;
  const person = fixtures[ownerOf(row)];
  return {
    name: operationId,
    method,
    path: fill(path, await row.id?.own(fixtures, person)),
    token: row.access === 'public' ? undefined : person.token,
    schema: bodySchema ?? {},
    takesText: spec.alsoAsText === true,
    takesNoBody: spec.optionalBody === true,
    sameOrigin: spec.sameOrigin === true,
    good: row.body?.(fixtures, person) as Record<string, unknown>,
  };
}

const send = ({ method, path, token, sameOrigin }: Target, call: Call) =>
  system.call(method, path, {
    token,
    ...call,
    headers: { ...(sameOrigin && { origin: system.url }), ...call.headers },
  });

function expectProblem(answer: Seen, allowed: readonly number[], what: string): void {
  expect(allowed, `${what} was answered ${answer.status} ${answer.text}`).toContain(answer.status);
  expect(answer.headers.get('content-type'), what).toContain('application/problem+json');
}

/** A refusal that names this field, or one above or below it. */
function expectFieldNamed(answer: Seen, field: string, what: string): void {
  expectProblem(answer, [400], what);
  const pointers: string[] = (answer.body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
  expect(
    pointers.some((pointer) => pointer === `/${field}` || pointer.startsWith(`/${field}/`)),
    `${what} names ${pointers.join(' ')}`,
  ).toBe(true);
}

/** Several at once, since there are some thousands of them. */
async function each<Item>(items: readonly Item[], attack: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await attack(item);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}

export function testInput(attacked: () => Attacked): void {
  beforeAll(async () => {
    ({ system, fixtures, operations } = attacked());
    for (const name of withBody) {
      const operation = operations.get(name);
      if (operation?.bodySchema) targets.set(name, await targetOf(operation, rows[name] as Row));
    }
    for (const { spec } of operations.values()) {
      const row = rows[spec.id];
      if (!row || !spec.id.startsWith('list')) continue;
      const { token } = fixtures[ownerOf(row)];
      lists.push({ id: spec.id, token, path: fill(spec.path, await row.id?.own(fixtures, fixtures.admin)) });
    }
    before = await system.fingerprint();
  });

  it('knows a good body for every route that takes one', () => {
    const takeOne = [...operations.values()].filter(({ bodySchema }) => bodySchema).map(({ spec }) => spec.id);
    expect(takeOne.filter((name) => !targets.has(name))).toEqual([]);
  });

  describe.each(withBody)('%s', (name) => {
    const target = () => targets.get(name);

    it('refuses what is no value of a field, and names the field', async () => {
      const given = target();
      if (!given) return;
      await each(spoiledFields(given.schema), async ({ field, value, what }) => {
        const answer = await send(given, { raw: withField(given.good, field, value) });
        expectFieldNamed(answer, field, `${field} with ${what}`);
      });
    });

    it('refuses fields that it does not have, and names them', async () => {
      const given = target();
      if (!given) return;
      const known = new Set(Object.keys(given.schema.properties ?? {}));
      await each(
        forbiddenFields.filter(({ field }) => !known.has(field)),
        async ({ field, value }) => {
          const answer = await send(given, { raw: withField(given.good, field, value) });
          expectFieldNamed(answer, field, field);
        },
      );
    });

    it('refuses keys that reach into prototypes', async () => {
      const given = target();
      if (!given) return;
      for (const key of ['__proto__', String.raw`\u005f_proto__`, '__proto__ ', 'constructor']) {
        const value = '{"isAdmin":true,"role":"admin","prototype":{"role":"admin"}}';
        const raw = `${JSON.stringify(given.good).slice(0, -1)}${Object.keys(given.good).length > 0 ? ',' : ''}"${key}":${value}}`;
        expectProblem(await send(given, { raw }), [400], key);
      }
    });

    it('reads duplicate keys in one way: the last counts, and is judged', async () => {
      const given = target();
      if (!given) return;
      const [field] = Object.keys(given.good);
      const good = JSON.stringify(given.good);
      const raw = `${good.slice(0, -1)},"${field}":{"$ne":null}}`;
      expectFieldNamed(await send(given, { raw }), field ?? '', 'a bad value after the good one');
    });
  });

  describe.each(readersOfBodies.map(({ id }) => id))('%s, as all that read bodies like it,', (name) => {
    const target = () => targets.get(name);

    it('refuses what is no object at all', async () => {
      const given = target();
      if (!given) return;
      const good = JSON.stringify(given.good);
      const others = noObjects.filter((raw) => raw !== '' || !given.takesNoBody);
      const bodies = [...others, `[${good}]`, JSON.stringify(good), good.slice(0, -1), `${good}}`, `${good}${good}`];
      await each(bodies, async (raw) => {
        expectProblem(await send(given, { raw, headers: json }), [400], raw.slice(0, 40));
      });
    });

    it('refuses other types of content, and other ways of writing text', async () => {
      const given = target();
      if (!given) return;
      const good = JSON.stringify(given.good);
      const refused = otherTypes.filter((type) => type !== 'text/plain' || !given.takesText);
      await each(refused, async (type) => {
        expectProblem(await send(given, { raw: good, headers: { 'content-type': type } }), [400, 415], type);
      });
      const unreadable: [string, Uint8Array<ArrayBuffer>, Record<string, string>, number, string][] = [
        ['gzip', new Uint8Array(gzipSync(good)), { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
        [
          'deflate, said only',
          new Uint8Array(gzipSync(good)),
          { 'content-encoding': 'deflate' },
          415,
          'unsupported_media_type',
        ],
        ['UTF-16', new Uint8Array(Buffer.from(`"\u00e9"${good}`, 'utf16le')), {}, 400, 'invalid_encoding'],
        ['UTF-16 with its mark', new Uint8Array(Buffer.from(`\ufeff${good}`, 'utf16le')), {}, 400, 'invalid_encoding'],
        [
          'Latin-1',
          new Uint8Array(Buffer.from(withField(given.good, 'x', '"\u00ff"'), 'latin1')),
          {},
          400,
          'invalid_encoding',
        ],
        ['a mark before what is not good', new Uint8Array(Buffer.from(`\ufeff${good}x`)), {}, 400, 'malformed_request'],
      ];
      await each(unreadable, async ([what, raw, headers, status, code]) => {
        const answer = await send(given, { raw, headers: { ...json, ...headers } });
        expectProblem(answer, [status], what);
        expect(answer.body.code, what).toBe(code);
      });
    });

    it('refuses two types of content, and none', async () => {
      const given = target();
      if (!given) return;
      const good = JSON.stringify(given.good);
      const head = [
        `${given.method} ${given.path} HTTP/1.1`,
        'Host: x',
        'Connection: close',
        ...(given.sameOrigin ? ['Origin: http://x'] : []),
        ...(given.token === undefined ? [] : [`Authorization: Bearer ${given.token}`]),
        `Content-Length: ${Buffer.byteLength(good)}`,
      ];
      const raw = (...lines: string[]) => sendRaw(system.url, `${[...head, ...lines].join('\r\n')}\r\n\r\n${good}`);
      expect(statuses(await raw()), 'none').toEqual([415]);
      expect(statuses(await raw('Content-Type: application/json', 'Content-Type: text/plain')), 'two').toEqual([400]);
      expect(statuses(await raw('Content-Type: application/json', 'Content-Type: application/json'))).toEqual([400]);
    });

    it('takes no more than 256 KiB', async () => {
      const given = target();
      if (!given) return;
      const raw = `${' '.repeat(256 * 1024)}${JSON.stringify(given.good)}`;
      expectProblem(await send(given, { raw }), [413], 'too large');
    });
  });

  const json = { 'content-type': 'application/json' };
  const noObjects = [
    '',
    'null',
    'true',
    '0',
    '"text"',
    '[]',
    '{',
    "{'email':'a'}",
    '{"a":undefined}',
    '{"a":"\t"}',
    'a=b&c=d',
    deepJson('{"a":', '}'),
    '['.repeat(10_000),
  ];
  const otherTypes = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/merge-patch+json',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=utf-7',
    'application/json, application/json',
  ];

  describe('fields of a free name', () => {
    const attack = async (data: string) => {
      const body = { channel: 'IN_APP', userId: fixtures.owner.id, title: 'News' };
      const raw = withField(body, 'data', data);
      return system.call('POST', '/v1/notifications', { token: fixtures.admin.token, raw });
    };

    it.each(spoiltText)('hold no $what, in name or value', async ({ text }) => {
      expectFieldNamed(await attack(`{"a":"${text}"}`), 'data', 'a value');
      expectFieldNamed(await attack(`{"a${text}":1}`), 'data', 'a name');
    });

    it.each(['{"$ne":null}', '{"a.b":1}', '{"":1}', '{"a":1e999}', '{"a":{"$ne":1}}', '{"a":[1]}'])(
      'hold no %s',
      async (data) => {
        expectFieldNamed(await attack(data), 'data', data);
      },
    );

    it('are none of those that every object has', async () => {
      expectProblem(await attack('{"__proto__":1}'), [400], '__proto__');
      expectProblem(await attack('{"constructor":{"prototype":1}}'), [400], 'constructor');
    });
  });

  describe('queries', () => {
    const odd = [
      'limit=0',
      'limit=-1',
      'limit=101',
      'limit=1.5',
      'limit=5.0',
      'limit=1e1',
      'limit=0x10',
      'limit=%2B5',
      'limit=%205',
      'limit=',
      'limit=%D9%A5',
      'limit=5&cursor=%E9',
      'limit=5&cursor=%ZZ',
      'limit=1e999',
      'limit=NaN',
      'limit[$gt]=1',
      'limit=1&limit=2',
      'cursor=x',
      'cursor=.',
      'cursor=bnVsbA.AAAAAAAAAAAAAAAAAAAAAA',
      'cursor[$ne]=x',
      'cursor=a&cursor=b',
      `cursor=${'x'.repeat(3000)}`,
      'unknown=1',
      '__proto__=1',
      'constructor[prototype]=1',
      '$where=1',
    ];

    it('of every list are refused where they are odd', async () => {
      expect(lists.length).toBeGreaterThan(5);
      for (const { id, path, token } of lists) {
        await each(odd, async (query) => {
          const answer = await system.call('GET', `${path}?${query}`, { token });
          expectProblem(answer, [400], `${id}?${query}`);
        });
      }
    });
  });

  it('nothing was kept of all that', async () => {
    expect(await system.fingerprint()).toEqual(before);
  });
}
