import { html, nothing, type Html } from '../html.ts';
import { asset } from '../assets.ts';
import type { Ctx } from '../context.ts';
import { countOf } from '../cart.ts';
import { categoryTree } from '../categories.ts';
import { languageNames, languages, type Sentence } from '../words/translate.ts';

interface Page {
  readonly title: string;
  readonly body: Html;
  readonly description?: string;
  readonly status?: 401 | 404 | 422 | 503 | undefined;
}

/** What a page says at its top after a form was sent: the redirect names it, as in `?done=saved`. */
const notices = {
  added: 'It is in your cart.',
  saved: 'Saved.',
  deleted: 'Deleted.',
  wished: 'It is on your wishlist.',
  'logged-out': 'You are logged out, on every device.',
  'password-set': 'Your new password is set. Log in with it.',
  reverted: 'The changes are undone. Set a new password now.',
  cancelled: 'The order is cancelled. What you paid goes back.',
  returned: 'Your return is announced. Send the parcel back to us.',
  short: 'Something of your cart is not there in this quantity any more. Please change it, then go on.',
  claimed: 'The order is in your account now.',
  erased: 'Your account is being erased. We send you a last mail.',
} as const satisfies Record<string, Sentence>;

/** Answers with a whole page. */
export async function page(c: Ctx, { title, body, description, status }: Page): Promise<Response> {
  const { t, shop, session, language } = c.var;
  const [categories, count] = await Promise.all([categoryTree(c), countOf(c)]);
  const done = c.req.method === 'GET' ? c.req.query('done') : undefined;
  const notice = done && Object.hasOwn(notices, done) ? notices[done as keyof typeof notices] : undefined;
  const path = new URL(c.req.url).pathname;
  c.header('cache-control', 'private, no-cache');
  return c.html(
    html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <title>${title === shop.name ? title : `${title} – ${shop.name}`}</title>
          ${description ? html`<meta name="description" content="${description}" />` : nothing}
          <link rel="preload" href="${asset('figtree.woff2')}" as="font" type="font/woff2" crossorigin />
          <link rel="stylesheet" href="${asset('shop.css')}" />
          <link rel="icon" href="${asset('icon.svg')}" />
          <script src="${asset('shop.js')}" defer></script>
        </head>
        <body>
          <a class="skip" href="#main">${t('To the content')}</a>
          <header class="top">
            <a class="brand" href="/">${shop.name}</a>
            <form class="search" action="/search" role="search">
              <input
                type="search"
                name="q"
                value="${c.req.query('q') ?? ''}"
                placeholder="${t('Search tea, coffee and more')}"
                aria-label="${t('Search')}"
                maxlength="200"
              />
              <button>${t('Search')}</button>
            </form>
            <nav class="own" aria-label="${t('Your pages')}">
              ${
                session.isOpen
                  ? html`<a href="/account">${t('Account')}</a> <a href="/wishlist">${t('Wishlist')}</a>`
                  : html`<a href="/login">${t('Log in')}</a>`
              }
              <a href="/cart">${t('Cart')} <b class="count">${count}</b></a>
            </nav>
          </header>
          <nav class="shelf" aria-label="${t('Categories')}">
            ${categories.map(
              ({ name, slug }) =>
                html`<a href="/categories/${slug}" ${path === `/categories/${slug}` ? html`aria-current="page"` : ''}
                  >${name}</a
                >`,
            )}
            <a href="/search">${t('Everything')}</a>
          </nav>
          <main id="main">${notice ? html`<p class="notice" role="status">${t(notice)}</p>` : nothing} ${body}</main>
          <p class="wait" role="status" data-text="${t('One moment, please …')}"></p>
          <footer class="bottom">
            <nav aria-label="${t('About the shop')}">
              <a href="/trade">${t('Trade accounts')}</a>
              <a href="/legal/imprint">${t('Imprint')}</a>
              <a href="/legal/terms">${t('Terms')}</a>
              <a href="/legal/privacy">${t('Privacy')}</a>
              <a href="/legal/returns">${t('Returns')}</a>
            </nav>
            <form class="languages" method="post" action="/language">
              <input type="hidden" name="back" value="${pathOf(c)}" />
              ${languages.map(
                (each) =>
                  html`<button
                    name="language"
                    value="${each}"
                    lang="${each}"
                    aria-pressed="${String(each === language)}"
                  >
                    ${languageNames[each]}
                  </button>`,
              )}
            </form>
          </footer>
        </body>
      </html>`,
    status,
  );
}

/** The address of the page within the shop, to come back to; that of the home page after a form. */
function pathOf(c: Ctx): string {
  const { pathname, search } = new URL(c.req.url);
  return c.req.method === 'GET' ? pathname + search : '/';
}

/** Says that something is done, or that nothing is there, and leads on. */
export const note = (c: Ctx, heading: Html, text: string | Html, link = leadTo(c, '/search', 'See everything')): Html =>
  html`<div class="empty">
    ${heading}
    <p>${text}</p>
    <div>${link}</div>
  </div>`;

/** A page that is such a note. */
export const notePage = (c: Ctx, title: string, text: string | Html, link?: Html, status?: Page['status']) =>
  page(c, { title, status, body: note(c, html`<h1>${title}</h1>`, text, link) });

export const leadTo = (c: Ctx, href: string, label: Sentence): Html =>
  html`<a class="button" href="${href}">${c.var.t(label)}</a>`;

export const notFound = (c: Ctx): Promise<Response> =>
  notePage(
    c,
    c.var.t('There is nothing here'),
    c.var.t('The page has moved, or it never was. What you are looking for may be in the shop.'),
    undefined,
    404,
  );
