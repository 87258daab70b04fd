import { isProblem, type NotificationPreferencesChange } from '@storefront/client';
import { html, type App, type Ctx } from '../context.ts';
import { passOn } from '../parts/file.ts';
import { formPage, narrowForm, type Form } from '../parts/form.ts';
import { accountPage } from '../parts/layout.ts';
import type { Sentence } from '../words/translate.ts';

/** The kinds of mails that one can do without. */
const kinds = {
  orders: 'My orders',
  invoices: 'My invoices',
  wishlist: 'Prices and stock of my wishlist',
  offers: 'Offers, and a cart that I have left',
  marketing: 'News of the shop',
} as const satisfies Record<string, Sentence>;
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

export function notificationPages(app: App): void {
  formPage(app, '/notifications', inbox, async (c) => {
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

  formPage(app, '/notifications/preferences', preferences, async (c, values) => {
    const { notifications } = c.var.api;
    // They are replaced as a whole, so what this page does not show is sent as it was.
    const { types, quietHours } = await notifications.getNotificationPreferences();
    const wanted = kindNames.map((kind) => [kind, { ...types[kind], EMAIL: values[kind] !== undefined }]);
    const { security: _alwaysOn, ...others } = types;
    const body: NotificationPreferencesChange = { types: { ...others, ...Object.fromEntries(wanted) }, quietHours };
    await notifications.replaceNotificationPreferences({ body });
    return 'saved';
  });
}

async function inbox(c: Ctx): Promise<Response> {
  const { api, t, date } = c.var;
  const { data, unreadCount } = await api.notifications.listNotifications({ query: { limit: 50 } });
  const body = html`
    <ul class="items" data-live aria-live="polite">
      ${data.map(
        ({ title, body, readAt, createdAt }) =>
          html`<li class="${!readAt && 'unread'}">
            <h2>${title}</h2>
            <p>${body}</p>
            <p class="hint">${date(createdAt)}</p>
          </li>`,
      )}
    </ul>
    ${data.length === 0 && html`<p id="nothing-yet">${t('Nothing has happened yet.')}</p>`}
    <form class="row" method="post" action="/notifications">
      ${unreadCount > 0 && html`<button class="quiet">${t('I have read them')}</button>`}
      <a href="/notifications/preferences">${t('Choose which mails you get')}</a>
    </form>
  `;
  return accountPage(c, 'Notifications', body);
}

async function preferences(c: Ctx, form: Form): Promise<Response> {
  const { api, t } = c.var;
  const { types } = await api.notifications.getNotificationPreferences();
  const fields = html`<fieldset class="choices">
    <legend>${t('Send me mails about')}</legend>
    ${kindNames.map(
      (kind) =>
        html`<label class="check">
          <input type="checkbox" name="${kind}" ${types[kind].EMAIL && 'checked'} /> ${t(kinds[kind])}
        </label>`,
    )}
  </fieldset>`;
  const text = t('Mails about your login and your account come always: they guard it.');
  return accountPage(c, 'Mails', narrowForm(c, '/notifications/preferences', form, { text, fields, button: 'Save' }));
}
