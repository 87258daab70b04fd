import { asset } from '../assets.ts';
import { html, type Ctx, type Html } from '../context.ts';
import { countOf } from '../cart.ts';
import { categoryTree } from '../categories.ts';
import { languageNames, languages, type Sentence } from '../words/translate.ts';

/** What a page says at its top after a form was sent: the redirect names it, as in `?done=saved`. */
const notices = {
  added: 'It is in your cart.',
  saved: 'Saved.',
  deleted: 'Deleted.',
  wished: 'It is on your wishlist.',
  'logged-out': 'You are logged out, on every device.',
  reverted: 'The changes are undone. Set a new password now.',
  cancelled: 'The order is cancelled. If you have paid, your money goes back.',
  returned: 'Your return is announced. Send the parcel back to us.',
  claimed: 'The order is in your account now.',
  erased: 'Your account is being erased. We send you a last mail.',
} as const satisfies Record<string, Sentence>;
export type Notice = keyof typeof notices;

/** Answers with a whole page. */
export async function page(c: Ctx, title: string, body: Html, description?: string | null): Promise<Response> {
  const { t, shop, session, language } = c.var;
  const [categories, count] = await Promise.all([categoryTree(c), countOf(c)]);
  const done = c.req.method === 'GET' ? c.req.query('done') : undefined;
  const notice = done && Object.hasOwn(notices, done) ? notices[done as Notice] : undefined;
  const path = new URL(c.req.url).pathname;
  // After a logout, the way back of the browser must not show what was private.
  c.header('cache-control', session.isOpen ? 'no-store' : 'private, no-cache');
  return c.html(
    html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <title>${title === shop.name ? title : `${title} – ${shop.name}`}</title>
          ${description && html`<meta name="description" content="${description}" />`}
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
                html`<a href="/categories/${slug}" ${path === `/categories/${slug}` && html`aria-current="page"`}
                  >${name}</a
                >`,
            )}
            <a href="/search">${t('Everything')}</a>
          </nav>
          <main id="main">${notice && html`<p class="notice" role="status">${t(notice)}</p>`} ${body}</main>
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
              ${languages.map((each) => {
                const isChosen = String(each === language);
                return html`<button
                  class="link"
                  name="language"
                  value="${each}"
                  lang="${each}"
                  aria-pressed="${isChosen}"
                >
                  ${languageNames[each]}
                </button>`;
              })}
            </form>
          </footer>
        </body>
      </html>`,
  );
}

/** The address of the page within the shop, to come back to; that of the home page after a form. */
function pathOf(c: Ctx): string {
  const { pathname, search } = new URL(c.req.url);
  return c.req.method === 'GET' ? pathname + search : '/';
}

const accountPages = {
  '/account': 'Overview',
  '/account/orders': 'Orders',
  '/account/addresses': 'Addresses',
  '/account/recipients': 'Recipients',
  '/wishlist': 'Wishlist',
  '/notifications': 'Notifications',
  '/invoices': 'Invoices',
  '/account/security': 'Login and security',
  '/account/data': 'Your data',
} as const satisfies Record<string, Sentence>;

/** A page of the account, beside the list of all of them. */
export function accountPage(c: Ctx, title: Sentence, content: Html): Promise<Response> {
  const { t } = c.var;
  // The last that fits is the nearest: all begin with that of the overview.
  const here = Object.keys(accountPages).findLast((path) => `${c.req.path}/`.startsWith(`${path}/`));
  const body = html`
    <div class="account">
      <nav aria-label="${t('Account')}">
        ${Object.entries(accountPages).map(
          ([path, name]) => html`<a href="${path}" ${path === here && html`aria-current="page"`}>${t(name)}</a>`,
        )}
        <form method="post" action="/logout"><button class="link">${t('Log out')}</button></form>
      </nav>
      <div>
        <h1>${t(title)}</h1>
        ${content}
      </div>
    </div>
  `;
  return page(c, t(title), body);
}

/** Says that something is done, or that nothing is there, and leads on. */
export const note = (c: Ctx, heading: Html, text: string, link = leadTo(c, '/search', 'See everything')): Html =>
  html`<div class="empty">
    ${heading}
    <p>${text}</p>
    <div>${link}</div>
  </div>`;

/** A page that is such a note. */
export const notePage = (c: Ctx, title: string, text: string, link?: Html) =>
  page(c, title, note(c, html`<h1>${title}</h1>`, text, link));

export const leadTo = (c: Ctx, href: string, label: Sentence): Html =>
  html`<a class="button" href="${href}">${c.var.t(label)}</a>`;

export function notFound(c: Ctx): Promise<Response> {
  const { t } = c.var;
  c.status(404);
  const text = t('The page has moved, or it never was. What you are looking for may be in the shop.');
  return notePage(c, t('There is nothing here'), text);
}
