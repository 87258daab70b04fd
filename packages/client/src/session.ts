import { browser } from './browser.ts';
import { objectWith } from './object-with.ts';
import { broadcast, exclusivelyBy } from './tabs.ts';
import type { SessionStore, Tokens } from './session-store.ts';

export type { SessionStore, Tokens };

/** A session that says when somebody has logged in or out, in this page or in another one. */
export interface ObservableSession extends SessionStore {
  /** Calls the listener with the tokens, or undefined, whenever they change. Returns what ends that. */
  subscribe(listener: (tokens: Tokens | undefined) => void): () => void;
}

/** Keeps the tokens until the page or the process ends. */
export function memorySession(tokens?: Tokens): ObservableSession {
  let held = tokens;
  return observable({
    read: () => held,
    write: (next) => {
      held = next;
    },
  });
}

/**
 * Keeps the tokens in `localStorage`, for all pages of the origin: one of them refreshes, and a logout is one everywhere.
 * Where the browser keeps nothing, they live as long as the page.
 */
export function localStorageSession({ key = 'storefront:session' }: { readonly key?: string } = {}): ObservableSession {
  let withoutStorage: string | undefined;
  const storage = storageOf();
  const session = observable({
    read: () => objectWith<Tokens>('accessToken', storage?.getItem(key) ?? withoutStorage),
    write: (next) => {
      withoutStorage = next && JSON.stringify(next);
      try {
        if (withoutStorage === undefined) storage?.removeItem(key);
        else storage?.setItem(key, withoutStorage);
      } catch {
        // The storage is full or closed: the tokens live as long as the page.
      }
    },
    exclusively: exclusivelyBy(key),
  });
  browser.addEventListener?.('storage', (event) => {
    if (event.key !== key) return;
    withoutStorage = undefined;
    session.changed();
  });
  return session;
}

/** The cookie of a session on a server. */
export interface CookieOptions {
  readonly name?: string;
  /** False only for development without TLS. */
  readonly secure?: boolean;
  /** How long the browser keeps it: 30 days by default, as long as a refresh token lives. */
  readonly maxAgeSeconds?: number;
}

/**
 * The session of a shopper on a server that renders pages: in an HttpOnly cookie. Reads `Cookie` of the request, and adds
 * `Set-Cookie` to the headers of the answer when the tokens change: send those after the last call. Make one for each
 * request, for all that works on it.
 */
export function cookieSession(request: Headers, answer: Headers, options: CookieOptions = {}): ObservableSession {
  const { name = 'storefront-session', secure = true, maxAgeSeconds = 2_592_000 } = options;
  let held = fromCookie(request.get('cookie'), name);
  return observable({
    read: () => held,
    write: (next) => {
      held = next;
      const value = next ? [next.expiresAt, next.accessToken, next.refreshToken ?? ''].join('~') : '';
      const others = answer.getSetCookie().filter((cookie) => !cookie.startsWith(`${name}=`));
      answer.delete('set-cookie');
      const ours = `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${next ? maxAgeSeconds : 0}`;
      for (const cookie of [...others, secure ? `${ours}; Secure` : ours]) answer.append('set-cookie', cookie);
    },
  });
}

function fromCookie(header: string | null, name: string): Tokens | undefined {
  const pairs = (header ?? '').split(/;\s*/);
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  const [expiresAt, accessToken, refreshToken] = value?.split('~') ?? [];
  if (!accessToken || !Number.isFinite(Number(expiresAt))) return undefined;
  return { accessToken, ...(refreshToken && { refreshToken }), expiresAt: Number(expiresAt) };
}

/**
 * The session of a page of the API's own origin, such as the console: the access token in memory, the refresh token in a
 * cookie that no script can read.
 */
export function consoleSession(): ObservableSession {
  const name = 'storefront:console';
  const memory = memorySession();
  const channel = broadcast(name, () => {
    void memory.write(undefined);
  });
  return {
    ...memory,
    write: (next) => {
      // A page that finds no session when it is opened ends none of the others.
      const hasEnded = !next && memory.read() !== undefined;
      void memory.write(next);
      if (hasEnded) channel?.tell('ended');
    },
    exclusively: exclusivelyBy(name),
    cookie: { keep: '/v1/auth/console/session', refresh: '/v1/auth/console/refresh' },
  };
}

interface Store {
  readonly read: () => Tokens | undefined;
  readonly write: (next: Tokens | undefined) => void;
  readonly exclusively?: SessionStore['exclusively'];
}

function observable(store: Store): ObservableSession & { changed(): void } {
  const listeners = new Set<(tokens: Tokens | undefined) => void>();
  const changed = () => {
    for (const listener of listeners) listener(store.read());
  };
  return {
    read: store.read,
    write: (next) => {
      store.write(next);
      changed();
    },
    ...(store.exclusively && { exclusively: store.exclusively }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changed,
  };
}

/** Browsers refuse even to name the storage where a page may have none. */
function storageOf() {
  try {
    return browser.localStorage;
  } catch {
    return undefined;
  }
}
