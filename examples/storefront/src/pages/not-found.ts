import type { Ctx } from '../context.ts';
import { html } from '../html.ts';
import { page } from '../parts/layout.ts';

export function notFound(c: Ctx): Promise<Response> {
  const { t } = c.var;
  return page(c, {
    status: 404,
    title: t('Not found'),
    body: html`<div class="empty">
      <h1>${t('There is nothing here')}</h1>
      <p>${t('The page has moved, or it never was. What you are looking for may be in the shop.')}</p>
      <p><a class="button" href="/search">${t('See everything')}</a></p>
    </div>`,
  });
}
