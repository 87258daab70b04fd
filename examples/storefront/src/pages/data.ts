import type { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { ApiError } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { html, nothing } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { passOn } from '../parts/file.ts';
import { formOf, formPage, narrowForm, type Values } from '../parts/form.ts';
import { passwordNow, proofFields, prove, readGuard } from '../parts/proof.ts';

const exportCookie = 'export';

/** The copy of one's data, and its erasure. */
export function dataPages(app: Hono<Env>): void {
  formPage(app, '/account/data', ownData, async (c, values) => {
    const { users } = c.var.api;
    await prove(c, values);
    if (values.action === 'erase') {
      await users.eraseMe({ body: { password: values.currentPassword ?? '' } });
      return c.redirect('/?done=erased', 303);
    }
    if (values.download) return passOn(c, await users.getMyExport.response({ params: { id: values.download } }));
    const { id } = await users.exportMe();
    setCookie(c, exportCookie, id, { path: '/account', httpOnly: true, sameSite: 'Lax', maxAge: 7 * 24 * 3600 });
    return c.redirect('/account/data', 303);
  });
}

async function ownData(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { api, t } = c.var;
  const id = getCookie(c, exportCookie);
  const [found, guard] = await Promise.all([
    id ? api.try.users.getMyExport({ params: { id } }) : undefined,
    readGuard(c),
  ]);
  // One that is ready is read only with a fresh proof.
  const isReady =
    found && (found.ok ? found.data.status === 'ready' : found.error.code === 'reauthentication_required');
  const isMaking = found?.ok && found.data.status === 'pending';
  const isErasing = values.action === 'erase';
  const form = formOf(c, {}, isErasing ? undefined : error, 'copy');
  const erasing = formOf(c, {}, isErasing ? error : undefined, 'erase');
  return accountPage(
    c,
    'Your data',
    html`
      <p>${t('A copy of everything that the shop keeps about you, as a file.')}</p>
      ${isMaking ? html`<p class="notice" role="status">${t('It is being made. We send you a mail when it is ready.')}</p>` : nothing}
      ${narrowForm(c, '/account/data', form, {
        fields: proofFields(c, form, guard),
        below: html`
          ${isReady ? html`<button name="download" value="${id ?? ''}" data-file>${t('Download the copy')}</button>` : nothing}
          <button class="${isReady ? 'quiet' : ''}">${t('Ask for a new copy')}</button>
        `,
      })}
      <section>
        <h2>${t('Erase the account')}</h2>
        <p>
          ${t('Everything that the law does not have us keep is erased, such as addresses, wishlist and messages. This can not be undone.')}
        </p>
        <details class="panel" ${isErasing ? html`open` : nothing}>
          <summary>${t('Erase the account')}</summary>
          ${narrowForm(c, '/account/data', erasing, {
            fields: html`${passwordNow(erasing)} ${guard.enabled ? proofFields(c, erasing, guard) : nothing}`,
            below: html`<button class="quiet" name="action" value="erase">${t('Erase it for good')}</button>`,
          })}
        </details>
      </section>
    `,
  );
}
