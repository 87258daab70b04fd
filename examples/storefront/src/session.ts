import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Context } from 'hono';
import { cookieSession } from '@storefront/client/session';

const month = 30 * 24 * 3600;
/** Of how many orders a guest's browser keeps the secrets. */
const mostOrders = 5;

export type Session = ReturnType<typeof openSession>;

/** What the browser of a shopper keeps, in cookies that no script can read. What is changed becomes cookies of the answer. */
export function openSession(c: Context, isSecure: boolean) {
  const answer = new Headers();
  const tokens = cookieSession(c.req.raw.headers, answer, { name: 'session', secure: isSecure });
  // A shopper comes back from the payment page by a link of another site: cookies that are `Strict` would be left out.
  const options = { httpOnly: true, sameSite: 'Lax', secure: isSecure, path: '/' } as const;
  const changed = new Map<string, string | undefined>();
  const read = (name: string) => (changed.has(name) ? changed.get(name) : getCookie(c, name));
  const write = (name: string, value: string | undefined) => {
    if (value === read(name)) return;
    changed.set(name, value);
    if (value === undefined) deleteCookie(c, name, options);
    else setCookie(c, name, value, { ...options, maxAge: month });
  };
  const orders = () => (read('orders') ?? '').split('~').map((each) => each.split('.', 2));
  const wasOpen = tokens.read() !== undefined;

  return {
    /** The tokens of a login, for the client, which renews them before they expire. */
    tokens,
    get isOpen(): boolean {
      return tokens.read() !== undefined;
    },
    /** Whether the browser came with a login that turned out to be over. */
    get hasEnded(): boolean {
      return wasOpen && tokens.read() === undefined;
    },
    /** Forgets the login, without a word to the API. */
    end: () => void tokens.write(undefined),
    get cartId(): string | undefined {
      return read('cart');
    },
    set cartId(id: string | undefined) {
      write('cart', id);
    },
    /** With it, a login is not slowed by the failures of others. */
    get deviceToken(): string | undefined {
      return read('device');
    },
    set deviceToken(token: string | undefined) {
      write('device', token);
    },
    /** The secret with which a guest reads this order. */
    orderSecret: (orderId: string) => orders().find(([id]) => id === orderId)?.[1],
    /** Keeps the secret of an order; an empty one is forgotten. */
    rememberOrder(orderId: string, secret: string): void {
      const others = orders().filter(([id]) => id !== orderId);
      const kept = [[orderId, secret], ...others].filter(([, each]) => each).slice(0, mostOrders);
      write('orders', kept.map((each) => each.join('.')).join('~'));
    },
    /** Puts the tokens, where they have changed, into the answer: after all calls of the API, and before it is sent. */
    writeBack(): void {
      for (const cookie of answer.getSetCookie()) c.header('set-cookie', cookie, { append: true });
    },
  };
}
