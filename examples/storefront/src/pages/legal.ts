import { html, type App } from '../context.ts';
import { notFound, notePage, page } from '../parts/layout.ts';
import type { Sentence } from '../words/translate.ts';

/** Texts that a shop has to have. They show where yours go, and are no legal advice. */
const texts: Readonly<Record<string, readonly [title: Sentence, ...paragraphs: Sentence[]]>> = {
  imprint: [
    'Imprint',
    'Storefront GmbH, Am Sandtorkai 1, 20457 Hamburg, Germany.',
    'This is the shop of a demonstration: it sells nothing. Put the name, the address, the register and the VAT number of your company here.',
  ],
  terms: [
    'Terms',
    'A contract comes about when we confirm your order by mail. Prices for consumers contain the tax; prices for trade accounts do not.',
    'What you order is reserved for 30 minutes, in which you pay. If you do not pay, the order ends by itself and costs nothing.',
    'Put the terms of your shop here.',
  ],
  privacy: [
    'Privacy',
    'This shop sets no cookie for advertising or statistics. Its cookies keep your login, your cart, your orders as a guest and your language; no script can read them, and no other site gets them.',
    'You can have a copy of your data, or have it erased, in your account at any time.',
    'Put the privacy policy of your shop here.',
  ],
  returns: [
    'Returns',
    'You can return what you do not like within 14 days. Announce it on the page of your order, and send the parcel back. The money comes back the way it came.',
    'Put the withdrawal policy and its form here.',
  ],
};

export function legalPages(app: App): void {
  app.get('/legal/:name', (c) => {
    const name = c.req.param('name');
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (!text) return notFound(c);
    const { t } = c.var;
    const [title, ...paragraphs] = text;
    const body = html`<article>
      <h1>${t(title)}</h1>
      ${paragraphs.map((paragraph) => html`<p>${t(paragraph)}</p>`)}
    </article>`;
    return page(c, t(title), body);
  });

  // The link in a mail asks before it does something: programs that look at mails open every link.
  app.get('/unsubscribe/:token', (c) => {
    const { t } = c.var;
    const button = html`<form method="post"><button>${t('Send me none any more')}</button></form>`;
    return notePage(c, t('No more of these mails?'), t('Mails about your orders and your login still come.'), button);
  });

  app.post('/unsubscribe/:token', async (c) => {
    const { t } = c.var;
    await c.var.api.notifications.unsubscribe({ params: { token: c.req.param('token') } });
    const link = html`<a href="/notifications/preferences">${t('Choose which mails you get')}</a>`;
    return notePage(c, t('Done'), t('You get no more of these mails.'), link);
  });
}
