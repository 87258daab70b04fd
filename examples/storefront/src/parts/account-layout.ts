import type { Ctx } from '../context.ts';
import { html, type Html } from '../html.ts';
import type { Sentence } from '../words/translate.ts';
import { page } from './layout.ts';

const pages = {
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
export function accountPage(c: Ctx, title: Sentence, body: Html): Promise<Response> {
  const { t } = c.var;
  const here = new URL(c.req.url).pathname;
  return page(c, {
    title: t(title),
    body: html`
      <div class="account">
        <nav aria-label="${t('Account')}">
          ${Object.entries(pages).map(
            ([path, name]) => html`<a href="${path}" ${path === here ? html`aria-current="page"` : ''}>${t(name)}</a>`,
          )}
          <form method="post" action="/logout"><button class="link">${t('Log out')}</button></form>
        </nav>
        <div>
          <h1>${t(title)}</h1>
          ${body}
        </div>
      </div>
    `,
  });
}
