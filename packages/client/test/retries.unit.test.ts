import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, isProblem, type ApiError, type Retry } from '../src/index.ts';
import { fakeNetwork, json, problem, type Sent } from './fake-network.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What the network does with one request. */
type Happening =
  | { readonly kind: 'answered' }
  | { readonly kind: 'cut-off' }
  | { readonly kind: 'silence' }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly retryAfterSeconds?: number };

const transient = fc.oneof(
  fc.constant<Happening>({ kind: 'cut-off' }),
  fc.record({
    kind: fc.constant('refused' as const),
    status: fc.constantFrom(408, 429, 502, 503, 504),
    code: fc.constantFrom('overloaded', 'rate_limited'),
    retryAfterSeconds: fc.nat(40),
  }),
  fc.record({
    kind: fc.constant('refused' as const),
    status: fc.constant(409),
    code: fc.constant('idempotency_in_progress'),
  }),
);
const lasting = fc.record({
  kind: fc.constant('refused' as const),
  status: fc.constantFrom(400, 404, 409, 422, 500),
  code: fc.constantFrom('validation_failed', 'not_found', 'out_of_stock'),
});
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: transient },
  { weight: 1, arbitrary: lasting },
  { weight: 1, arbitrary: fc.constant<Happening>({ kind: 'silence' }) },
  { weight: 2, arbitrary: fc.constant<Happening>({ kind: 'answered' }) },
);

function answerOf(happens: Happening | undefined) {
  if (happens?.kind === 'cut-off') return new TypeError('fetch failed');
  if (happens?.kind === 'silence') return 'silence' as const;
  if (happens?.kind !== 'refused') return json({ data: [], nextCursor: null });
  const { retryAfterSeconds: seconds } = happens;
  return problem(happens.status, happens.code, {}, seconds === undefined ? {} : { 'retry-after': String(seconds) });
}

const isTransient = (happens: Happening) =>
  happens.kind === 'cut-off' ||
  (happens.kind === 'refused' &&
    ([408, 429, 502, 503, 504].includes(happens.status) || happens.code === 'idempotency_in_progress'));

interface Course {
  readonly happenings: readonly Happening[];
  readonly kind: 'read' | 'keyed' | 'unkeyed';
  readonly retries: number;
  readonly timeoutMs: number;
  readonly sent: readonly Sent[];
  readonly told: readonly Retry[];
  readonly result: 'done' | ApiError;
  readonly tookMs: number;
}

function expectFittingRetries({ happenings, kind, retries, timeoutMs, sent, told, result, tookMs }: Course): void {
  expect(tookMs).toBeLessThanOrEqual(timeoutMs);
  expect(sent.length).toBeLessThanOrEqual(kind === 'unkeyed' ? 1 : retries + 1);
  expect(told.map(({ attempt }) => attempt)).toEqual(sent.slice(1).map((_request, index) => index + 1));
  for (const [index, happens] of happenings.slice(0, sent.length - 1).entries()) {
    expect(isTransient(happens)).toBe(true);
    const pause = (sent[index + 1]?.at ?? 0) - (sent[index]?.at ?? 0);
    const asked = happens.kind === 'refused' ? happens.retryAfterSeconds : undefined;
    const [least, most] = asked === undefined ? [0, 500 * 2 ** index] : [asked * 1000, asked * 1000];
    expect(pause).toBeGreaterThanOrEqual(least);
    expect(pause).toBeLessThanOrEqual(most);
  }
  const last = happenings[sent.length - 1] ?? { kind: 'answered' };
  const codes = { answered: 'done', silence: 'timed_out', 'cut-off': 'network_error' } as const;
  expect(result === 'done' ? result : result.code).toBe(last.kind === 'refused' ? last.code : codes[last.kind]);
  if (result === 'done' || last.kind === 'silence') return;
  // It gave up: it may not be sent again, or not once more, or the wait would be longer than the time that is left.
  const asked = last.kind === 'refused' ? (last.retryAfterSeconds ?? 0) * 1000 : 0;
  const waited = Math.max(asked, 500 * 2 ** (sent.length - 1));
  const isOver = kind === 'unkeyed' || sent.length > retries || !isTransient(last);
  expect(isOver || tookMs + waited >= timeoutMs).toBe(true);
}

const keyOf = ({ headers }: Sent) => headers.get('idempotency-key');

describe('a call over a network that fails', () => {
  const operations = {
    read: (shop: ReturnType<typeof createClient>) => shop.products.listProducts(),
    keyed: (shop: ReturnType<typeof createClient>) => shop.carts.createCart({ body: {} }),
    unkeyed: (shop: ReturnType<typeof createClient>) =>
      shop.carts.removeCartLine({ params: { id: 'cart_1', variantId: 'var_1' } }),
  };

  it('is sent again only where that does no harm, as often as allowed, as late as asked, within the time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { maxLength: 5 }),
        fc.constantFrom('read' as const, 'keyed' as const, 'unkeyed' as const),
        fc.nat(3),
        fc.constantFrom(5000, 30_000),
        async (happenings, kind, retries, timeoutMs) => {
          const { fetch, sent } = fakeNetwork(() => answerOf(happenings[sent.length - 1]));
          const told: Retry[] = [];
          const onRetry = (retry: Retry) => told.push(retry);
          const shop = createClient({ baseUrl: 'http://api', fetch, retries, timeoutMs, onRetry });
          const begun = Date.now();
          let endedAt = 0;
          const outcome = operations[kind](shop).then(
            () => 'done' as const,
            (error: unknown) => error as ApiError,
          );
          void outcome.then(() => (endedAt = Date.now()));
          await vi.runAllTimersAsync();
          const result = await outcome;

          const tookMs = endedAt - begun;
          expectFittingRetries({ happenings, kind, retries, timeoutMs, sent, told, result, tookMs });
          expect(new Set(sent.map(keyOf)).size).toBeLessThanOrEqual(1);
          expect(sent.every((request) => (keyOf(request) !== null) === (kind === 'keyed'))).toBe(true);
        },
      ),
    );
  });

  it('has a key of its own for each call, or the one it is given', async () => {
    const { fetch, sent } = fakeNetwork(() => json({}, { status: 201 }));
    const shop = createClient({ baseUrl: 'http://api', fetch });
    // As in a page without TLS.
    const real = crypto;
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => real.getRandomValues(bytes) });
    await shop.carts.createCart();
    await shop.carts.createCart();
    await shop.carts.createCart({}, { idempotencyKey: 'mine' });
    const [first, second, third] = sent.map(keyOf);
    expect(first).not.toBe(second);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(third).toBe('mine');
  });

  it('is never sent again with 0 retries', async () => {
    const { fetch, sent } = fakeNetwork(() => problem(503, 'overloaded', {}, { 'retry-after': '0' }));
    const shop = createClient({ baseUrl: 'http://api', fetch });
    const outcome = shop.try.products.listProducts({}, { retries: 0 });
    await vi.runAllTimersAsync();
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'overloaded', status: 503, retryAfterMs: 0 } });
    expect(sent).toHaveLength(1);
  });

  it('takes a time as Retry-After too', async () => {
    vi.setSystemTime(new Date('2026-11-28T00:00:00Z'));
    const { fetch, sent } = fakeNetwork(() =>
      sent.length > 1 ? json({}) : problem(503, 'overloaded', {}, { 'retry-after': 'Sat, 28 Nov 2026 00:00:07 GMT' }),
    );
    const outcome = createClient({ baseUrl: 'http://api', fetch }).products.listProducts();
    await vi.runAllTimersAsync();
    await outcome;
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBe(7000);
  });

  it.each(['while it waits', 'while it is sent'])('ends with the reason of its signal %s', async (when) => {
    const { fetch } = fakeNetwork(() => (when === 'while it waits' ? problem(503, 'overloaded') : 'silence'));
    const controller = new AbortController();
    const reason = new Error('the page was left');
    const shop = createClient({ baseUrl: 'http://api', fetch, timeoutMs: 60_000 });
    const outcome = shop.try.products
      .listProducts({}, { signal: controller.signal, retries: 5 })
      .catch((error) => error);
    setTimeout(() => controller.abort(reason), 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe(reason);
  });

  it('is sent again where the connection is lost within the answer', async () => {
    const broken = () =>
      new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) }), {
        headers: { 'content-type': 'application/json' },
      });
    const { fetch, sent } = fakeNetwork(() => (sent.length === 1 ? broken() : json({ data: [1], nextCursor: null })));
    const outcome = createClient({ baseUrl: 'http://api', fetch }).products.listProducts();
    await vi.runAllTimersAsync();
    expect(await outcome).toEqual({ data: [1], nextCursor: null });
  });

  it('says what was no answer of the API', async () => {
    const { fetch } = fakeNetwork(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    const outcome = createClient({ baseUrl: 'http://api', fetch, retries: 0 }).try.products.listProducts();
    const result = await outcome;
    expect(!result.ok && isProblem(result.error, 'unexpected_answer') && result.error.status).toBe(502);
  });
});
