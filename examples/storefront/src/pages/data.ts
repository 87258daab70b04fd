import { getCookie, setCookie } from 'hono/cookie';
import { html, type App, type Ctx } from '../context.ts';
import { passOn } from '../parts/file.ts';
import { formPage, narrowForm, type Form } from '../parts/form.ts';
import { accountPage } from '../parts/layout.ts';
import { proofFields, prove, readGuard } from '../parts/proof.ts';

const exportCookie = 'export';
const [path, erasePath] = ['/account/data', '/account/data/erase'];

/** The copy of one's data, and its erasure. */
export function dataPages(app: App): void {
  formPage(app, path, copy, async (c, values) => {
    const { users } = c.var.api;
    await prove(c, values);
    if (values.download) return passOn(c, await users.getMyExport.response({ params: { id: values.download } }));
    const { id } = await users.exportMe();
    setCookie(c, exportCookie, id, { path: '/account', httpOnly: true, sameSite: 'Lax', maxAge: 7 * 24 * 3600 });
    return c.redirect(path, 303);
  });

  formPage(app, erasePath, erase, async (c, values) => {
    await prove(c, values);
    await c.var.api.users.eraseMe({ body: { password: values.currentPassword ?? '' } });
    return c.redirect('/?done=erased', 303);
  });
}

async function copy(c: Ctx, form: Form): Promise<Response> {
  const { api, t } = c.var;
  const id = getCookie(c, exportCookie);
  const [found, guard] = await Promise.all([id && api.try.users.getMyExport({ params: { id } }), readGuard(c)]);
  // One that is ready is read only with a fresh proof.
  const isReady =
    found && (found.ok ? found.data.status === 'ready' : found.error.code === 'reauthentication_required');
  const isMaking = found && found.ok && found.data.status === 'pending';
  const body = html`
    <p>${t('A copy of everything that the shop keeps about you, as a file.')}</p>
    ${isMaking && html`<p class="notice" role="status">${t('It is being made. We send you a mail when it is ready.')}</p>`}
    ${narrowForm(c, path, form, {
      fields: proofFields(c, form, guard),
      below: html`
        ${isReady && html`<button name="download" value="${id}" data-file>${t('Download the copy')}</button>`}
        <button class="${isReady && 'quiet'}">${t('Ask for a new copy')}</button>
      `,
    })}
    <section><a class="button quiet" href="${erasePath}">${t('Erase the account')}</a></section>
  `;
  return accountPage(c, 'Your data', body);
}

async function erase(c: Ctx, form: Form): Promise<Response> {
  const guard = await readGuard(c);
  const text = c.var.t(
    'Everything that the law does not have us keep is erased, such as addresses, wishlist and messages. This can not be undone.',
  );
  const fields = proofFields(c, form, guard, true);
  const body = narrowForm(c, erasePath, form, { text, fields, button: 'Erase it for good' });
  return accountPage(c, 'Erase the account', body);
}
