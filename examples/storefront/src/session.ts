import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Context } from 'hono';
import type { SessionStore, Tokens } from '@storefront/client/session';

const month = 30 * 24 * 3600;
/** Of how many orders a guest's browser keeps the secrets. */
const mostOrders = 5;

/** What the browser of a shopper keeps, in cookies that no script can read. */
export interface Session {
  readonly isOpen: boolean;
  /** The tokens of a login, for the client. What it stores, after it has renewed them too, goes out with the answer. */
  readonly tokens: SessionStore;
  /** Forgets the login, without a word to the API. */
  end(): void;
  cartId: string | undefined;
  /** With it, a login is not slowed by the failures of others. */
  deviceToken: string | undefined;
  /** The secret with which a guest reads this order. */
  orderSecret(orderId: string): string | undefined;
  rememberOrder(orderId: string, secret: string): void;
}

/** Reads the cookies of a request. What is changed becomes cookies of its answer. */
export function openSession(c: Context, shopUrl: string): Session {
  // A shopper comes back from the payment page by a link of another site: cookies that are `Strict` would be left out.
  const options = { httpOnly: true, sameSite: 'Lax', secure: shopUrl.startsWith('https:'), path: '/' } as const;
  const changed = new Map<string, string | undefined>();
  const read = (name: string) => (changed.has(name) ? changed.get(name) : getCookie(c, name));
  const write = (name: string, value: string | undefined) => {
    changed.set(name, value);
    if (value === undefined) deleteCookie(c, name, options);
    else setCookie(c, name, value, { ...options, maxAge: month });
  };
  const orders = () =>
    (read('orders') ?? '')
      .split('~')
      .filter(Boolean)
      .map((each) => each.split('.'));

  return {
    get isOpen() {
      return read('session') !== undefined;
    },
    tokens: {
      read: () => parse(read('session')),
      write: (tokens) => write('session', tokens && JSON.stringify(tokens)),
    },
    end: () => write('session', undefined),
    get cartId() {
      return read('cart');
    },
    set cartId(id) {
      if (id !== read('cart')) write('cart', id);
    },
    get deviceToken() {
      return read('device');
    },
    set deviceToken(token) {
      write('device', token);
    },
    orderSecret: (orderId) => orders().find(([id]) => id === orderId)?.[1] || undefined,
    rememberOrder(orderId, secret) {
      const others = orders().filter(([id]) => id !== orderId);
      const kept = [[orderId, secret], ...others].slice(0, mostOrders);
      write('orders', kept.map((each) => each.join('.')).join('~'));
    },
  };
}

function parse(text: string | undefined): Tokens | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Tokens);
  } catch {
    return undefined;
  }
}
