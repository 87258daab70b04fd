import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, isProblem } from '../src/index.ts';
import {
  consoleSession,
  cookieSession,
  localStorageSession,
  memorySession,
  type SessionStore,
  type Tokens,
} from '../src/session.ts';
import { fakeNetwork, json, problem, type Sent } from './fake-network.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const lifeSeconds = 900;

/**
 * An API with one session: refresh tokens work once, or twice in a row. Its clock is ahead of the client's. `isLost` says
 * whether the answer of a refresh gets lost.
 */
function fakeApi({ aheadMs = 0, isLost = () => false }: { aheadMs?: number; isLost?: () => boolean } = {}) {
  let number = 0;
  let graced: number | undefined;
  let isOver = false;
  let reuses = 0;
  const born = new Map<string, number>();
  let ahead = aheadMs;
  const now = () => Date.now() + ahead;
  const date = () => ({ date: new Date(now()).toUTCString() });
  const pair = () => {
    born.set(`access-${number}`, now());
    return { accessToken: `access-${number}`, refreshToken: `refresh-${number}`, expiresIn: lifeSeconds };
  };
  const network = fakeNetwork(({ path, body, headers }) => {
    if (path === '/v1/auth/login') {
      isOver = false;
      number += 1;
      return json({ ...pair(), user: {} }, date());
    }
    if (path === '/v1/auth/refresh') {
      const given = Number((body as { refreshToken: string }).refreshToken.slice('refresh-'.length));
      if (given === number && !isOver) {
        graced = number;
        number += 1;
      } else if (given === graced && !isOver) graced = undefined;
      else {
        isOver = true;
        reuses += 1;
        return problem(401, 'invalid_refresh_token', {}, date());
      }
      return isLost() ? new TypeError('lost') : json(pair(), date());
    }
    const token = headers.get('authorization')?.slice('Bearer '.length);
    const isAlive = !isOver && now() - (born.get(token ?? '') ?? 0) < lifeSeconds * 1000;
    if (path === '/v1/auth/logout') isOver = true;
    if (!isAlive) return problem(401, token === undefined ? 'authentication_required' : 'invalid_token', {}, date());
    return json({ id: 'user_1' }, date());
  });
  return { ...network, reuses: () => reuses, end: () => (isOver = true), setAhead: (ms: number) => (ahead = ms) };
}

const refreshes = (sent: readonly Sent[]) => sent.filter(({ path }) => path === '/v1/auth/refresh');

/** Runs everything that waits, and returns the outcome. */
async function settled<Result>(work: Promise<Result>): Promise<Result> {
  void work.catch(() => undefined);
  await vi.runAllTimersAsync();
  return work;
}

const login = { body: { email: 'ada@example.com', password: 'x' } };

describe('a session', () => {
  it('lives on whatever is called at once, however long the pauses are and whatever the clocks say', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pauseMs: fc.nat(2_000_000), calls: fc.integer({ min: 1, max: 5 }), clients: fc.nat(2) }), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.integer({ min: -7_200_000, max: 7_200_000 }),
        fc.array(fc.boolean(), { maxLength: 6 }),
        async (steps, aheadMs, losses) => {
          const lost = [...losses];
          let wasLost = false;
          // Never two in a row: the API answers the same token only twice.
          const isLost = () => (wasLost = !wasLost && lost.pop() === true);
          const api = fakeApi({ aheadMs, isLost });
          const session = memorySession();
          const clients = [0, 1, 2].map(() => createClient({ baseUrl: 'http://api', fetch: api.fetch, session }));
          await settled(clients[0]!.auth.logIn(login));
          for (const { pauseMs, calls, clients: index } of steps) {
            await vi.advanceTimersByTimeAsync(pauseMs);
            const before = refreshes(api.sent).length;
            const shops = Array.from({ length: calls }, (_call, call) => clients[(index + call) % 3]!);
            const all = await settled(Promise.all(shops.map((shop) => shop.users.getMe())));
            expect(all).toHaveLength(calls);
            // One, and once more where its answer was lost.
            expect(refreshes(api.sent).length - before).toBeLessThanOrEqual(2);
          }
          expect(api.reuses()).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is refreshed before the token expires, by the clock of the API', async () => {
    const api = fakeApi({ aheadMs: -3_600_000 });
    const shop = createClient({ baseUrl: 'http://api', fetch: api.fetch });
    await settled(shop.auth.logIn(login));
    await vi.advanceTimersByTimeAsync((lifeSeconds - 70) * 1000);
    await settled(shop.users.getMe());
    expect(refreshes(api.sent)).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(20_000);
    await settled(shop.users.getMe());
    expect(refreshes(api.sent)).toHaveLength(1);
    expect(api.sent.filter(({ path }) => path === '/v1/users/me')).toHaveLength(2);
  });

  it('is refreshed ahead although the clock of the client was set back', async () => {
    const api = fakeApi();
    const shop = createClient({ baseUrl: 'http://api', fetch: api.fetch });
    await settled(shop.auth.logIn(login));
    vi.setSystemTime(Date.now() - 7_200_000);
    api.setAhead(7_200_000);
    await settled(shop.users.getMe());
    await vi.advanceTimersByTimeAsync((lifeSeconds - 50) * 1000);
    await settled(shop.users.getMe());
    expect(api.sent.map(({ path }) => path.slice(4))).toEqual(['auth/login', 'users/me', 'auth/refresh', 'users/me']);
  });

  it('goes on with its token where it can not be refreshed ahead', async () => {
    const api = fakeApi({ isLost: () => true });
    const shop = createClient({ baseUrl: 'http://api', fetch: api.fetch });
    await settled(shop.auth.logIn(login));
    await vi.advanceTimersByTimeAsync((lifeSeconds - 50) * 1000);
    expect(await settled(shop.users.getMe())).toEqual({ id: 'user_1' });
    expect(refreshes(api.sent)).toHaveLength(2);
  });

  it('is over where the API ends it: the tokens are gone, and the call says why', async () => {
    const api = fakeApi();
    const session = memorySession();
    const seen: (Tokens | undefined)[] = [];
    session.subscribe((tokens) => seen.push(tokens));
    const shop = createClient({ baseUrl: 'http://api', fetch: api.fetch, session });
    await settled(shop.auth.logIn(login));
    api.end();
    const error: unknown = await settled(shop.users.getMe().catch((caught: unknown) => caught));
    expect(isProblem(error, 'invalid_token')).toBe(true);
    expect(session.read()).toBeUndefined();
    expect(seen.map((tokens) => tokens?.accessToken)).toEqual(['access-1', undefined]);
  });

  it('ends with a logout', async () => {
    const api = fakeApi();
    const session = memorySession();
    const shop = createClient({ baseUrl: 'http://api', fetch: api.fetch, session });
    await settled(shop.auth.logIn(login));
    await settled(shop.auth.logOut());
    expect(session.read()).toBeUndefined();
  });

  it('sends no token with a login, and none to other open operations of accounts', async () => {
    const api = fakeApi();
    const shop = createClient({ baseUrl: 'http://api', fetch: api.fetch });
    await settled(shop.auth.logIn(login));
    await settled(shop.auth.logIn(login));
    await settled(shop.try.auth.forgotPassword({ body: { email: 'ada@example.com' } }));
    await settled(shop.try.products.listProducts());
    expect(api.sent.map(({ headers }) => headers.get('authorization') !== null)).toEqual([false, false, false, true]);
  });

  it('is not taken over by the refresh of the one before', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const answers = { accessToken: 'of-ada', refreshToken: 'ada', expiresIn: 0 };
    const { fetch } = fakeNetwork(async ({ path }) => {
      if (path === '/v1/auth/refresh') {
        await gate;
        return json({ ...answers, accessToken: 'of-ada-again' });
      }
      return path === '/v1/auth/login' ? json(answers) : json({});
    });
    const session = memorySession();
    const shop = createClient({ baseUrl: 'http://api', fetch, session });
    await shop.auth.logIn(login);
    const call = shop.users.getMe();
    await vi.advanceTimersByTimeAsync(1);
    void session.write({ accessToken: 'of-bob', refreshToken: 'bob', expiresAt: Infinity });
    release();
    await settled(call);
    expect(session.read()).toMatchObject({ accessToken: 'of-bob' });
  });

  it('reads a list again where its token was ignored', async () => {
    const api = fakeApi();
    const { fetch, sent } = fakeNetwork(async (request) => {
      if (!request.path.startsWith('/v1/products')) return api.fetch(`http://api${request.path}`, requestInit(request));
      const isKnown = request.headers.get('authorization') === 'Bearer access-2';
      return json({ data: [isKnown ? 'for trade' : 'for all'] }, isKnown ? {} : { 'x-token-ignored': 'true' });
    });
    const shop = createClient({ baseUrl: 'http://api', fetch });
    await settled(shop.auth.logIn(login));
    expect(await settled(shop.products.listProducts())).toEqual({ data: ['for trade'] });
    expect(sent.map(({ path }) => path)).toEqual([
      '/v1/auth/login',
      '/v1/products',
      '/v1/auth/refresh',
      '/v1/products',
    ]);
  });

  it('is not needed with the token of a program, which is never refreshed', async () => {
    const { fetch, sent } = fakeNetwork(() => problem(401, 'invalid_token'));
    const shop = createClient({ baseUrl: 'http://api', fetch, apiToken: 'sfc_1' });
    await settled(shop.try.users.getMe());
    expect(sent.map(({ path, headers }) => [path, headers.get('authorization')])).toEqual([
      ['/v1/users/me', 'Bearer sfc_1'],
    ]);
  });
});

const requestInit = ({ method, headers, body }: Sent): RequestInit => ({ method, headers, body: JSON.stringify(body) });

describe('a session of a browser', () => {
  /** Pages of one origin: a storage, and locks that one page holds at a time. */
  function browser() {
    const stored = new Map<string, string>();
    const localStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    let last: Promise<unknown> = Promise.resolve();
    const locks = {
      request: (_name: string, _options: object, work: () => Promise<unknown>) => (last = last.then(work, work)),
    };
    vi.stubGlobal('localStorage', localStorage);
    vi.stubGlobal('navigator', { locks });
    return { stored };
  }

  it('refreshes once for all pages', async () => {
    browser();
    const api = fakeApi();
    const pages = [0, 1, 2].map(() =>
      createClient({ baseUrl: 'http://api', fetch: api.fetch, session: localStorageSession() }),
    );
    await settled(pages[0]!.auth.logIn(login));
    await vi.advanceTimersByTimeAsync(lifeSeconds * 1000);
    await settled(Promise.all(pages.map((page) => page.users.getMe())));
    expect(refreshes(api.sent)).toHaveLength(1);
    await settled(pages[1]!.auth.logOut());
    expect(await settled(pages[2]!.try.users.getMe())).toMatchObject({ error: { code: 'authentication_required' } });
  });

  it('lives as long as the page where nothing can be stored, and is nobody where nonsense is', async () => {
    const { stored } = browser();
    stored.set('storefront:session', '{');
    expect(await localStorageSession().read()).toBeUndefined();
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
      removeItem: () => {},
    });
    const session = localStorageSession();
    await session.write({ accessToken: 'a', expiresAt: 1 });
    expect(await session.read()).toMatchObject({ accessToken: 'a' });
  });

  it('keeps the refresh token in a cookie where it is one of the console', async () => {
    const tokens = { accessToken: 'access', expiresIn: lifeSeconds };
    const { fetch, sent } = fakeNetwork(({ path }) =>
      path === '/v1/auth/login' ? json({ ...tokens, refreshToken: 'secret' }) : json(tokens),
    );
    const session: SessionStore = consoleSession();
    const page = () => createClient({ baseUrl: 'http://api', fetch, session: consoleSession() });
    await settled(createClient({ baseUrl: 'http://api', fetch, session }).auth.logIn(login));
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      ['/v1/auth/login', login.body],
      ['/v1/auth/console/session', { refreshToken: 'secret' }],
    ]);
    expect(await session.read()).toEqual({ accessToken: 'access', expiresAt: expect.any(Number) });
    // A page that is opened later has only the cookie.
    await settled(page().users.getMe());
    expect(sent.slice(2).map(({ path, body, headers }) => [path, body, headers.get('authorization')])).toEqual([
      ['/v1/auth/console/refresh', undefined, null],
      ['/v1/users/me', undefined, 'Bearer access'],
    ]);
  });

  it('ends in every page of the console with one, and not because a page finds none when it is opened', async () => {
    const channels: EventTarget[] = [];
    class Channel extends EventTarget {
      constructor() {
        super();
        channels.push(this);
      }
      postMessage(data: unknown): void {
        for (const other of channels.filter((one) => one !== this))
          other.dispatchEvent(Object.assign(new Event('message'), { data }));
      }
    }
    vi.stubGlobal('BroadcastChannel', Channel);
    const tokens = { accessToken: 'access', expiresAt: Infinity };
    const [first, second] = [consoleSession(), consoleSession()];
    const { fetch } = fakeNetwork(() => problem(401, 'invalid_refresh_token'));
    void first.write(tokens);
    await settled(createClient({ baseUrl: 'http://api', fetch, session: consoleSession() }).try.users.getMe());
    expect(first.read()).toEqual(tokens);
    void second.write(tokens);
    void first.write(undefined);
    expect(second.read()).toBeUndefined();
  });

  it('is asked for once where there is no cookie', async () => {
    const { fetch, sent } = fakeNetwork(({ path }) =>
      path === '/v1/auth/console/refresh' ? problem(401, 'invalid_refresh_token') : json({}),
    );
    const shop = createClient({ baseUrl: 'http://api', fetch, session: consoleSession() });
    await settled(shop.products.listProducts());
    await settled(shop.products.listProducts());
    expect(sent.map(({ path }) => path)).toEqual(['/v1/auth/console/refresh', '/v1/products', '/v1/products']);
  });
});

describe('a session of a server that renders pages', () => {
  it('is in a cookie that is written again when its tokens change', async () => {
    const api = fakeApi();
    const first = new Headers({ 'set-cookie': 'other=1' });
    const shopOf = (request: Headers, answer: Headers) =>
      createClient({ baseUrl: 'http://api', fetch: api.fetch, session: cookieSession(request, answer) });
    await settled(shopOf(new Headers(), first).auth.logIn(login));
    const [other, cookie = ''] = first.getSetCookie();
    expect(other).toBe('other=1');
    expect(cookie).toMatch(
      /^storefront-session=\d+~access-1~refresh-1; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/,
    );

    const request = new Headers({ cookie: `theme=dark; ${cookie.split(';')[0]}` });
    const unchanged = new Headers();
    await settled(shopOf(request, unchanged).users.getMe());
    expect(unchanged.getSetCookie()).toEqual([]);

    await vi.advanceTimersByTimeAsync(lifeSeconds * 1000);
    const rotated = new Headers();
    const shop = shopOf(request, rotated);
    await settled(Promise.all([shop.users.getMe(), shop.users.getMe()]));
    expect(rotated.getSetCookie()).toEqual([expect.stringContaining('~access-2~refresh-2;')]);

    const over = new Headers();
    await settled(shopOf(new Headers({ cookie: rotated.getSetCookie()[0]!.split(';')[0]! }), over).auth.logOut());
    expect(over.getSetCookie()).toEqual([expect.stringMatching(/^storefront-session=; .*Max-Age=0/)]);
  });

  it('names the shopper whose request it is', async () => {
    const { fetch, sent } = fakeNetwork(() => json({}));
    const forwarded = { address: '203.0.113.7', userAgent: 'Firefox' };
    await createClient({ baseUrl: 'http://api/', fetch, forwarded, language: 'de' }).products.listProducts();
    expect([...(sent[0]?.headers ?? [])]).toEqual([
      ['accept-language', 'de'],
      ['user-agent', 'Firefox'],
      ['x-forwarded-for', '203.0.113.7'],
    ]);
  });
});
