import type { Hono } from 'hono';
import { isProblem, type NotificationPreferencesChange } from '@storefront/client';
import type { Env } from '../context.ts';
import { html, nothing } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { passOn } from '../parts/file.ts';
import { sent } from '../parts/form.ts';
import type { Sentence } from '../words/translate.ts';

/** The kinds of mails that one can do without. */
const kinds = {
  orders: 'My orders',
  invoices: 'My invoices',
  wishlist: 'Prices and stock of my wishlist',
  offers: 'Offers, and a cart that I have left',
  marketing: 'News of the shop',
} as const satisfies Record<string, Sentence>;
type Kind = keyof typeof kinds;

export function notificationPages(app: Hono<Env>): void {
  app.get('/notifications', async (c) => {
    const { api, t, date } = c.var;
    const { data, unreadCount } = await api.notifications.listNotifications({ query: { limit: 50 } });
    return accountPage(
      c,
      'Notifications',
      html`
        <ul class="items" data-live aria-live="polite">
          ${data.map(
            ({ title, body, readAt, createdAt }) =>
              html`<li class="${readAt ? '' : 'unread'}">
                <h2>${title}</h2>
                <p>${body}</p>
                <p class="hint">${date(createdAt)}</p>
              </li>`,
          )}
        </ul>
        ${data.length === 0 ? html`<p id="nothing-yet">${t('Nothing has happened yet.')}</p>` : nothing}
        <form class="row" method="post" action="/notifications">
          ${unreadCount > 0 ? html`<button class="quiet">${t('I have read them')}</button>` : nothing}
          <a href="/notifications/preferences">${t('Choose which mails you get')}</a>
        </form>
      `,
    );
  });

  app.post('/notifications', async (c) => {
    await c.var.api.notifications.readAllNotifications();
    return c.redirect('/notifications', 303);
  });

  // Passes the stream of the API on to the page, so that no token comes to the browser. It ends when the page is left.
  app.get('/notifications/stream', async (c) => {
    const lastEventId = c.req.header('last-event-id');
    const headers = lastEventId ? { 'last-event-id': lastEventId } : {};
    try {
      return passOn(c, await c.var.api.notifications.streamNotifications.response({ headers }));
    } catch (error) {
      // 204 ends it for good. After any other problem the browser comes again.
      if (isProblem(error) && error.status === 401) return c.body(null, 204);
      return c.body('retry: 10000\n\n', 200, { 'content-type': 'text/event-stream' });
    }
  });

  app.get('/notifications/preferences', async (c) => {
    const { api, t } = c.var;
    const { types } = await api.notifications.getNotificationPreferences();
    return accountPage(
      c,
      'Mails',
      html`
        <form class="stack narrow" method="post" action="/notifications/preferences">
          <p>${t('Mails about your login and your account come always: they guard it.')}</p>
          <fieldset class="stack">
            <legend>${t('Send me mails about')}</legend>
            ${Object.entries(kinds).map(
              ([kind, name]) =>
                html`<label class="check">
                  <input type="checkbox" name="${kind}" ${types[kind as Kind].EMAIL ? html`checked` : nothing} />
                  ${t(name)}
                </label>`,
            )}
          </fieldset>
          <button>${t('Save')}</button>
        </form>
      `,
    );
  });

  app.post('/notifications/preferences', async (c) => {
    const { api } = c.var;
    const values = await sent(c);
    // They are replaced as a whole, so what this page does not show is sent as it was.
    const { types, quietHours } = await api.notifications.getNotificationPreferences();
    const wanted = Object.keys(kinds).map((kind) => [
      kind,
      { ...types[kind as Kind], EMAIL: values[kind] !== undefined },
    ]);
    const { security: _alwaysOn, ...others } = types;
    const body: NotificationPreferencesChange = { types: { ...others, ...Object.fromEntries(wanted) }, quietHours };
    await api.notifications.replaceNotificationPreferences({ body });
    return c.redirect('/notifications/preferences?done=saved', 303);
  });
}
