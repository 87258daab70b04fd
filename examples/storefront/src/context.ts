import type { Context, Hono, MiddlewareHandler } from 'hono';
import { getConnInfo } from '@hono/node-server/conninfo';
import { getCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { createClient, type Cart, type Client } from '@storefront/client';
import { formatMoney } from '@storefront/client/money';
import { openSession, type Session } from './session.ts';
import { languages, translator, type Language, type Translate } from './words/translate.ts';

export interface ShopSettings {
  readonly apiUrl: string;
  readonly name: string;
  /** The address of the shop's pages, as shoppers see it. */
  readonly url: string;
}

/** What every page has at hand while it answers one request. */
interface Variables {
  shop: ShopSettings;
  /** Calls the API for this shopper: with their session, their language and their address. */
  api: Client;
  session: Session;
  /** The cart as it was read last. */
  cart?: Cart | undefined;
  language: Language;
  /** Says a sentence in the shopper's language. */
  t: Translate;
  money: (amount: { readonly amount: number; readonly currency: string }) => string;
  date: (time: string) => string;
}

interface Env {
  Variables: Variables;
}
export type App = Hono<Env>;
export type Ctx = Context<Env>;

export { html };
/** Markup, or nothing. A template escapes what it is given, unless it is markup itself, and leaves out `false` and `undefined`. */
export type Html = ReturnType<typeof html> | false | undefined;

export const languageCookie = 'language';

/** Prepares what pages have at hand. One client for each request: the session of one shopper never meets another's. */
export function prepare(shop: ShopSettings): MiddlewareHandler<Env> {
  return async (c, next) => {
    const language = languageOf(c);
    const session = openSession(c, shop.url.startsWith('https:'));
    c.set('shop', shop);
    c.set('session', session);
    c.set('language', language);
    c.set('t', translator(language));
    c.set('money', (amount) => formatMoney(amount, language));
    const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
    c.set('date', (time) => dates.format(new Date(time)));
    c.set(
      'api',
      createClient({
        baseUrl: shop.apiUrl,
        session: session.tokens,
        language,
        // Somebody waits for the page.
        retries: 1,
        timeoutMs: 15_000,
        // The API counts and shows the shopper's own address and program in place of those of this server.
        forwarded: { address: getConnInfo(c).remote.address ?? '', userAgent: c.req.header('user-agent') },
      }),
    );
    await next();
    session.writeBack();
  };
}

function languageOf(c: Ctx): Language {
  const wanted = [getCookie(c, languageCookie), ...(c.req.header('accept-language') ?? '').split(',')];
  for (const each of wanted) {
    const found = languages.find((language) => each?.trim().toLowerCase().startsWith(language));
    if (found) return found;
  }
  return 'en';
}

/** The path within the shop that a form or an address names; the home page where it names another site. */
export function ownPath(wanted: unknown): string {
  return typeof wanted === 'string' && /^\/(?![/\\])/.test(wanted) ? wanted : '/';
}
