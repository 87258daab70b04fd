import { newId, operations as declared, type OperationSpec } from '@storefront/contracts';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { fill, rows, type Operation } from '../matrix/operations.ts';
import { ownerOf, type Row } from '../matrix/row.ts';
import type { Fixtures } from '../matrix/fixtures.ts';
import type { Call } from '../system/caller.ts';
import type { Seen } from '../system/leaks.ts';
import type { System } from '../system/system.ts';
import type { Attacked } from './attacked.ts';

let system: System;
let fixtures: Fixtures;
let operations: Map<string, Operation>;
let before: Record<string, string>;

const names = Object.keys(rows);
// A file refuses its rows, not the request.
const files = new Set(
  Object.values(declared).flatMap((specs: Readonly<Record<string, OperationSpec>>) =>
    Object.values(specs).flatMap(({ id, rawBody }) => (rawBody?.isList ? [id] : [])),
  ),
);
const withBody = names.filter((name) => rows[name]?.body && !files.has(name));
const asks = (name: string) => operations.get(name);
const whoMay = (row: Row) => fixtures[ownerOf(row)];

/** The largest body that is read at all. */
const largest = 256 * 1024 - 1024;

/** Members of an array or object, as many as fit. */
function filled(open: string, member: (at: number) => string, close: string): string {
  const members: string[] = [];
  for (let length = open.length + close.length; ; length += (members.at(-1)?.length ?? 0) + 1) {
    const next = member(members.length);
    if (length + next.length + 1 > largest) return `${open}${members.join(',')}${close}`;
    members.push(next);
  }
}

const half = largest / 2;
/** What a body, or a field of one, may be made of, so that each byte of it is answered by many. */
const heaps: readonly [what: string, json: string][] = [
  ['unknown fields', filled('{', (at) => `"${at.toString(36)}":1`, '}')],
  ['as many unknown fields as are looked at', `{${Array.from({ length: 4500 }, (_, at) => `"${at}":0`).join(',')}}`],
  ['fields of long names', filled('{', (at) => `"${at}${'/'.repeat(5000)}":1`, '}')],
  ['a field of the longest name', `{"${'~'.repeat(largest - 20)}":1}`],
  ['fields whose names have to be escaped', filled('{', (at) => String.raw`"${at}\u0001\ud800\u2028":1`, '}')],
  ['numbers', filled('[', () => '1', ']')],
  ['empty objects', filled('[', () => '{}', ']')],
  ['as many wrong values as are looked at', `[${'0,'.repeat(4500)}0]`],
  ['arrays in arrays', `${'['.repeat(half)}${']'.repeat(half)}`],
  ['objects in objects', `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`],
  ['the longest text', `"${'a'.repeat(largest - 100)}"`],
  ['the longest text of signs', `"${'<&'.repeat((largest - 100) / 2)}"`],
];

// Each body and each field is tried with one of them, the next one with the next; with `npm run proof` each with all. What refuses
// them is the same for all operations.
const triesAll = inject('isProof');
let turn = 0;
function nextHeaps() {
  turn += 1;
  return heaps.filter((_, at) => triesAll || at === turn % heaps.length);
}

// Below it nobody is harmed; the headers of an answer, and what names the request, are part of it.
const floorBytes = 16 * 1024;

/** No answer is longer than ten times what was asked, head and body, or than the floor. */
function expectCheap(answer: Seen, path: string, body: string, what: string): void {
  const asked = path.length + Buffer.byteLength(body);
  const head = [...answer.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  const answered = head + Buffer.byteLength(answer.text);
  expect(answered, `${what}: ${asked} bytes were answered by ${answered}`).toBeLessThanOrEqual(
    Math.max(floorBytes, 10 * asked),
  );
  // What is refused gets a refusal, not what the request said once more.
  expect(answered, `${what}: ${answered} bytes to refuse`).toBeLessThanOrEqual(floorBytes);
  expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBeGreaterThanOrEqual(400);
  expect(answer.status, what).toBeLessThan(500);
}

async function send(
  name: string,
  call: Call & { readonly query?: string; readonly id?: string },
): Promise<[Seen, string]> {
  const row = rows[name] as Row;
  const { spec } = asks(name) as Operation;
  const path = fill(spec.path, call.id ?? row.id?.random(), call.query);
  const token = row.access === 'public' || row.access === 'open' ? undefined : whoMay(row).token;
  return [await system.call(spec.method, path, { token, ...call }), path];
}

export function testCost(attacked: () => Attacked): void {
  beforeAll(async () => {
    ({ system, fixtures, operations } = attacked());
    before = await system.fingerprint();
  });

  describe.each(withBody)('%s', (name) => {
    it('answers a body that is a heap of anything by a short refusal', async () => {
      for (const [what, json] of nextHeaps()) {
        const [answer, path] = await send(name, { raw: json, headers: { 'content-type': 'application/json' } });
        expectCheap(answer, path, json, what);
      }
    });

    it('answers a field that is a heap of anything by a short refusal', async () => {
      const row = rows[name] as Row;
      const good = row.body?.(fixtures, whoMay(row)) as Record<string, unknown>;
      for (const field of Object.keys(asks(name)?.bodySchema?.properties ?? {})) {
        const others = Object.entries({ ...good, [field]: undefined }).filter(([, value]) => value !== undefined);
        const rest = others.map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`).join('');
        for (const [what, json] of nextHeaps()) {
          const raw = `{"${field}":${json}${rest}}`;
          const [answer, path] = await send(name, { raw });
          if (answer.status === 413) continue;
          expectCheap(answer, path, raw, `${field} as ${what}`);
        }
      }
    });
  });

  describe('queries and paths', () => {
    const long = 14_000;
    const queries = [
      Array.from({ length: long / 4 }, (_, at) => at.toString(36))
        .join('&')
        .slice(0, long),
      Array.from({ length: long / 4 }, () => 'a').join('&'),
      `${'x'.repeat(long)}=1`,
      `cursor=${'x'.repeat(long)}`,
      `limit=${'9'.repeat(long)}`,
      `${'%01'.repeat(long / 3)}=1`,
    ];

    it('are answered by a short refusal by every list', async () => {
      const lists = names.filter((name) => asks(name)?.spec.query);
      expect(lists.length).toBeGreaterThan(5);
      for (const name of lists)
        for (const query of queries) {
          const [answer, path] = await send(name, { query });
          if (answer.status < 400) continue;
          expectCheap(answer, path, '', `${name}?${query.slice(0, 20)}`);
        }
    });

    it('of any length are not said once more', async () => {
      for (const name of names.filter((one) => rows[one]?.id && !rows[one].body)) {
        const [answer, path] = await send(name, { id: 'x'.repeat(long) });
        expectCheap(answer, path, '', name);
        expect(answer.text.length, name).toBeLessThan(2048);
      }
    });
  });

  it('nothing of all this was written', async () => {
    const after = await system.fingerprint();
    expect(Object.entries(after).filter(([collection, hash]) => before[collection] !== hash)).toEqual([]);
  });

  describe('what is kept under an Idempotency-Key', () => {
    it('is short, however long the answer was', async () => {
      const { token } = fixtures.owner;
      const note = '€'.repeat(1000);
      const address = { homeAddress: '€'.repeat(500), state: '€'.repeat(100), city: '€'.repeat(100), country: 'NL' };
      const customer = { firstName: '€'.repeat(100), lastName: '€'.repeat(100), note, address };
      const product = {
        sku: `SKU-${process.hrtime.bigint()}`,
        name: '€'.repeat(200),
        price: { amount: 1, currency: 'EUR' },
        description: '€'.repeat(5000),
        images: Array.from({ length: 10 }, () => ({ url: `https://x/${'a'.repeat(2000)}`, alt: '€'.repeat(200) })),
      };
      const category = { name: '€'.repeat(100), description: '€'.repeat(2000), image: `https://x/${'a'.repeat(2000)}` };
      const sent: [service: string, path: string, token: string, body: object][] = [
        ['account', '/v1/customers', token, customer],
        ['account', '/v1/users/me/addresses', token, { ...address, contactPhone: '+31201234567' }],
        ['catalog', '/v1/products', fixtures.admin.token, product],
        ['catalog', '/v1/categories', fixtures.admin.token, category],
      ];
      for (const [service, path, bearer, body] of sent) {
        const headers = { 'idempotency-key': newId('evt') };
        const once = () => system.call('POST', path, { token: bearer, body, headers });
        const [first, again] = [await once(), await once()];
        expect([first.status, Buffer.byteLength(first.text) > 2048], path).toEqual([201, true]);
        expect(again.text, path).toBe(first.text);
        const kept = await system.database(service).collection('idempotency_keys').find().toArray();
        for (const record of kept) expect(JSON.stringify(record).length, path).toBeLessThan(4096);
      }
    });
  });
}
