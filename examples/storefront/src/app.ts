import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { isProblem } from '@storefront/client';
import { serveAssets } from './assets.ts';
import { html, languageCookie, ownPath, prepare, type App, type Ctx, type ShopSettings } from './context.ts';
import { accountPages } from './pages/account.ts';
import { bookPages } from './pages/book.ts';
import { cartPages } from './pages/cart.ts';
import { catalogPages } from './pages/catalog.ts';
import { checkoutPages } from './pages/checkout.ts';
import { dataPages } from './pages/data.ts';
import { homePages } from './pages/home.ts';
import { invoicePages } from './pages/invoices.ts';
import { legalPages } from './pages/legal.ts';
import { loginForm, loginPages } from './pages/login.ts';
import { notificationPages } from './pages/notifications.ts';
import { orderPages } from './pages/orders.ts';
import { productPages } from './pages/product.ts';
import { registerPages } from './pages/register.ts';
import { securityPages } from './pages/security.ts';
import { wishlistPages } from './pages/wishlist.ts';
import { formOf, sent, withoutSecrets } from './parts/form.ts';
import { notFound, page } from './parts/layout.ts';
import { problemText } from './parts/problems.ts';
import { languages } from './words/translate.ts';

/** The whole shop: what holds for every page, and then its pages. */
export function createApp(shop: ShopSettings): App {
  const app: App = new Hono();
  // Everything comes from the shop itself; pictures also from the API. No script or style stands in a page.
  const pictures = [`'self'`, new URL(shop.apiUrl).origin];
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: [`'self'`],
        imgSrc: pictures,
        objectSrc: [`'none'`],
        baseUri: [`'none'`],
        formAction: [`'self'`],
        frameAncestors: [`'none'`],
        requireTrustedTypesFor: [`'script'`],
        trustedTypes: [`'none'`],
      },
      // With none, browsers send no Origin with a form.
      referrerPolicy: 'same-origin',
      strictTransportSecurity: shop.url.startsWith('https:'),
      xFrameOptions: 'DENY',
    }),
  );
  serveAssets(app);
  // A login, and a passkey, is for one name of the shop: whoever types its IP address is led to that.
  app.get('*', (c, next) => {
    const { protocol, hostname, pathname, search } = new URL(c.req.url);
    const isByNumber = protocol === 'http:' && hostname === '127.0.0.1' && new URL(shop.url).hostname === 'localhost';
    return isByNumber ? Promise.resolve(c.redirect(shop.url + pathname + search, 302)) : next();
  });
  // A form of another site is refused by its Origin, so forms need no token.
  app.use(csrf({ origin: new URL(shop.url).origin }), bodyLimit({ maxSize: 64 * 1024 }), prepare(shop));

  for (const pages of [
    homePages,
    catalogPages,
    productPages,
    cartPages,
    checkoutPages,
    orderPages,
    loginPages,
    registerPages,
    accountPages,
    bookPages,
    securityPages,
    dataPages,
    wishlistPages,
    notificationPages,
    invoicePages,
    legalPages,
  ])
    pages(app);

  app.post('/language', async (c) => {
    const { language, back } = await c.req.parseBody();
    const chosen = languages.find((each) => each === language);
    if (chosen)
      setCookie(c, languageCookie, chosen, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 365 * 24 * 3600 });
    return c.redirect(ownPath(back), 303);
  });
  // A form that comes back from a login to a page that takes none.
  app.post('*', async (c) => ((await sent(c)).typed === undefined ? notFound(c) : c.redirect(c.req.path, 303)));
  app.notFound(notFound);
  app.onError(failed);
  return app;
}

/** What the API has refused, and no page has dealt with. */
async function failed(error: Error, c: Ctx): Promise<Response> {
  const { t, session } = c.var;
  if (error instanceof HTTPException) return error.getResponse();
  if (!isProblem(error)) throw error;
  const { pathname, search } = new URL(c.req.url);
  const isRead = c.req.method === 'GET';
  const isLoginOver = error.status === 401 || session.hasEnded;
  if (isLoginOver || error.code === 'reauthentication_required') {
    if (isLoginOver) session.end();
    if (isRead) return c.redirect(`/login?${new URLSearchParams({ next: pathname + search })}`, 303);
    // What was typed goes along, hidden in the form of the login.
    c.status(401);
    const typed = new URLSearchParams(withoutSecrets(await sent(c))).toString();
    return loginForm(c, formOf(c, { next: pageBefore(c), typed }));
  }
  // An address that was typed wrong names nothing either.
  if (error.status === 404 || (isRead && error.code === 'validation_failed')) return notFound(c);
  if (error.code === 'session_limited') return c.redirect('/account/resubmit', 303);
  const isBusy = error.status === 0 || error.status === 429 || error.status >= 500;
  // What was typed is sent again by the button.
  const values = isRead ? {} : withoutSecrets(await sent(c));
  c.status(isBusy ? 503 : 422);
  const body = html`<div class="empty">
    <h1>${t('That did not work')}</h1>
    <p>${problemText(error, t)}</p>
    ${
      isRead
        ? html`<p><a class="button" href="">${t('Try again')}</a></p>`
        : html`<form method="post" action="${pathname}">
            ${formOf(c, values).hidden(...Object.keys(values))}
            <button>${t('Try again')}</button>
          </form>`
    }
    <p><a class="button quiet" href="/">${t('To the shop')}</a></p>
    ${error.requestId && html`<p class="hint">${t('Request {id}', { id: error.requestId })}</p>`}
  </div>`;
  return page(c, t('That did not work'), body);
}

/** The page from which a form was sent. */
function pageBefore(c: Ctx): string {
  const referrer = c.req.header('referer') ?? '';
  const { pathname, search } = URL.canParse(referrer) ? new URL(referrer) : { pathname: '/account', search: '' };
  return ownPath(pathname + search);
}
