import type { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { ApiError } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { passOn } from '../parts/file.ts';
import { formOf, sent, type Form, type Values } from '../parts/form.ts';
import { problemOfForm } from '../parts/problems.ts';

/** Who is logged in where, the password, the second factor, the copy of one's data, and its erasure. */
export function securityPages(app: Hono<Env>): void {
  app.get('/account/security', (c) => security(c));

  app.post('/account/security', async (c) => {
    const values = await sent(c);
    try {
      return await change(c, values);
    } catch (error) {
      return security(c, values, problemOfForm(error));
    }
  });

  app.get('/account/data', (c) => ownData(c));

  app.post('/account/data', async (c) => {
    const { api } = c.var;
    const values = await sent(c);
    try {
      await prove(c, values);
      if (values.action === 'erase') {
        await api.users.eraseMe({ body: { password: values.currentPassword ?? '' } });
        return c.redirect('/?done=erased', 303);
      }
      const id = values.download;
      if (id) return passOn(c, await api.users.getMyExport.response({ params: { id } }));
      const { id: made } = await api.users.exportMe();
      setCookie(c, exportCookie, made, { path: '/account', httpOnly: true, sameSite: 'Lax', maxAge: 7 * 24 * 3600 });
      return c.redirect('/account/data', 303);
    } catch (error) {
      return ownData(c, values, problemOfForm(error));
    }
  });
}

const exportCookie = 'export';

/** Proves once more who it is, by the second factor where there is one. For 5 minutes the session may change what guards it. */
async function prove(c: Ctx, { code, currentPassword, proof = code ?? currentPassword ?? '' }: Values): Promise<void> {
  const body = /^\d{6}$/.test(proof) ? { code: proof } : { password: proof };
  await c.var.api.secondFactor.reauthenticate({ body });
}

const proofField = (form: Form): Html =>
  form.field('proof', 'Your password now', {
    type: 'password',
    autocomplete: 'current-password',
    hint: 'With a second factor: the 6 digits of your app.',
  });

async function change(c: Ctx, values: Values): Promise<Response> {
  const { api, session } = c.var;
  const done = () => c.redirect('/account/security?done=saved', 303);
  switch (values.action ?? '') {
    case 'end':
      await api.auth.endSession({ params: { id: values.id ?? '' } });
      return done();
    case 'password':
      await prove(c, values);
      await api.auth.changePassword({
        body: { currentPassword: values.currentPassword ?? '', newPassword: values.newPassword ?? '' },
      });
      return done();
    case 'begin': {
      await prove(c, values);
      return setUp(c, await api.secondFactor.beginTotp());
    }
    case 'confirm': {
      const { secret = '', otpauthUrl = '', code = '' } = values;
      const confirmed = await api.try.secondFactor.confirmTotp({ body: { code } });
      if (!confirmed.ok) return setUp(c, { secret, otpauthUrl }, confirmed.error);
      return recoveryCodes(c, confirmed.data.recoveryCodes ?? []);
    }
    case 'codes':
      await prove(c, values);
      return recoveryCodes(c, (await api.secondFactor.makeRecoveryCodes()).recoveryCodes);
    case 'remove':
      await prove(c, values);
      await api.secondFactor.removeTotp();
      return done();
    default:
      return session.isOpen ? done() : c.redirect('/login', 303);
  }
}

async function security(c: Ctx, values: Values = {}, error?: ApiError<string>): Promise<Response> {
  const { api, t, date } = c.var;
  const [{ data: sessions }, mfa] = await Promise.all([api.auth.listSessions({}), api.secondFactor.getMfa()]);
  const formFor = (...actions: readonly string[]) =>
    actions.includes(values.action ?? '') ? formOf(c, {}, error) : formOf(c);
  const [password, factor] = [formFor('password'), formFor('begin', 'codes', 'remove')];
  return accountPage(
    c,
    'Login and security',
    html`
      <section>
        <h2>${t('Where you are logged in')}</h2>
        <form method="post" action="/account/security">
          <input type="hidden" name="action" value="end" />
          <ul class="items">
            ${sessions.map(
              ({ id, current, device, ip, lastUsedAt }) =>
                html`<li>
                  <h3>
                    ${device === null ? t('Unknown device') : deviceName(device)}
                    ${current ? html`<span class="badge">${t('this one')}</span>` : nothing}
                  </h3>
                  <p class="hint">${ip ?? ''} · ${t('last used on {day}', { day: date(lastUsedAt) })}</p>
                  ${current ? nothing : html`<button class="link" name="id" value="${id}">${t('Log it out')}</button>`}
                </li>`,
            )}
          </ul>
        </form>
        <form method="post" action="/logout"><button class="quiet">${t('Log out everywhere')}</button></form>
      </section>
      <section>
        <h2>${t('Password')}</h2>
        <details class="panel" ${values.action === 'password' ? html`open` : nothing}>
          <summary>${t('Change the password')}</summary>
          <form class="stack narrow" method="post" action="/account/security">
            ${password.problem}
            ${password.field('currentPassword', 'Your password now', { type: 'password', autocomplete: 'current-password' })}
            ${mfa.totp ? password.field('proof', 'Code of your app', { autocomplete: 'one-time-code', numeric: true, maxlength: 6 }) : nothing}
            ${password.field('newPassword', 'New password', { type: 'password', autocomplete: 'new-password', hint: 'At least 8 characters. A sentence is a good password.' })}
            <button name="action" value="password">${t('Set the password')}</button>
          </form>
        </details>
      </section>
      <section>
        <h2>${t('Second factor')}</h2>
        <p>
          ${mfa.totp ? t('A login asks for a code of your authenticator app. {count} recovery codes are left.', { count: mfa.recoveryCodesLeft }) : t('With an authenticator app, your password alone lets nobody in.')}
        </p>
        <details class="panel" ${error && values.action !== 'password' ? html`open` : nothing}>
          <summary>${mfa.totp ? t('Change the second factor') : t('Set up an authenticator app')}</summary>
          <form class="stack narrow" method="post" action="/account/security">
            ${factor.problem}
            ${
              mfa.totp
                ? html`${factor.field('code', 'Code of your app', { autocomplete: 'one-time-code', numeric: true, maxlength: 6 })}
                    <p class="row">
                      <button class="quiet" name="action" value="codes">${t('New recovery codes')}</button>
                      <button class="quiet" name="action" value="remove">${t('Remove the app')}</button>
                    </p>`
                : html`${proofField(factor)} <button name="action" value="begin">${t('Begin')}</button>`
            }
          </form>
        </details>
      </section>
    `,
    error && 422,
  );
}

/** What people call a program that names itself so: `Chrome, Windows`. */
function deviceName(agent: string): string {
  const [browser] = /Edg|OPR|Firefox|Chrome|Safari/.exec(agent) ?? [];
  const [system] = /Windows|Android|iPhone|iPad|Mac|Linux/.exec(agent) ?? [];
  if (browser === undefined) return agent;
  return [{ Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser, system].filter(Boolean).join(', ');
}

function setUp(
  c: Ctx,
  { secret, otpauthUrl }: { secret: string; otpauthUrl: string },
  error?: ApiError<string>,
): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, { secret, otpauthUrl }, error);
  return accountPage(
    c,
    'Second factor',
    html`
      <p>${t('Enter this key in your authenticator app, or open the link on the phone that has it.')}</p>
      <p><code>${secret.match(/.{1,4}/g)?.join(' ') ?? ''}</code></p>
      <p><a href="${otpauthUrl}">${t('Open in the app')}</a></p>
      <form class="stack narrow" method="post" action="/account/security">
        ${form.problem} ${form.hidden('secret', 'otpauthUrl')}
        ${form.field('code', 'Code of your app', { autocomplete: 'one-time-code', numeric: true, maxlength: 6 })}
        <button name="action" value="confirm">${t('Confirm')}</button>
      </form>
    `,
    error && 422,
  );
}

function recoveryCodes(c: Ctx, codes: readonly string[]): Promise<Response> {
  const { t } = c.var;
  return accountPage(
    c,
    'Second factor',
    html`
      <p>
        ${t('Your login is guarded. Keep these recovery codes where you find them without your phone: each works once, and they are shown only now.')}
      </p>
      <ul class="panel codes">
        ${codes.map((code) => html`<li>${code}</li>`)}
      </ul>
      <p><a class="button" href="/account/security">${t('I have kept them')}</a></p>
    `,
  );
}

async function ownData(c: Ctx, values: Values = {}, error?: ApiError<string>): Promise<Response> {
  const { api, t } = c.var;
  const id = getCookie(c, exportCookie);
  const [found, mfa] = await Promise.all([
    id ? api.try.users.getMyExport({ params: { id } }) : undefined,
    api.secondFactor.getMfa(),
  ]);
  // One that is ready is read only with a fresh proof.
  const isReady =
    found && (found.ok ? found.data.status === 'ready' : found.error.code === 'reauthentication_required');
  const isMaking = found?.ok && found.data.status === 'pending';
  const isErasing = values.action === 'erase';
  const form = isErasing ? formOf(c) : formOf(c, {}, error);
  const erasing = isErasing ? formOf(c, {}, error) : formOf(c);
  return accountPage(
    c,
    'Your data',
    html`
      <p>${t('A copy of everything that the shop keeps about you, as a file.')}</p>
      ${isMaking ? html`<p class="notice" role="status">${t('It is being made. We send you a mail when it is ready.')}</p>` : nothing}
      <form class="stack narrow" method="post" action="/account/data">
        ${form.problem} ${proofField(form)}
        ${isReady ? html`<button name="download" value="${id ?? ''}">${t('Download the copy')}</button>` : nothing}
        <button class="${isReady ? 'quiet' : ''}">${t('Ask for a new copy')}</button>
      </form>
      <section>
        <h2>${t('Erase the account')}</h2>
        <p>
          ${t('Everything that the law does not have us keep is erased, such as addresses, wishlist and messages. This can not be undone.')}
        </p>
        <details class="panel" ${isErasing ? html`open` : nothing}>
          <summary>${t('Erase the account')}</summary>
          <form class="stack narrow" method="post" action="/account/data">
            ${erasing.problem}
            ${erasing.field('currentPassword', 'Your password now', { type: 'password', autocomplete: 'current-password' })}
            ${mfa.totp ? erasing.field('code', 'Code of your app', { autocomplete: 'one-time-code', numeric: true, maxlength: 6 }) : nothing}
            <button class="quiet" name="action" value="erase">${t('Erase it for good')}</button>
          </form>
        </details>
      </section>
    `,
    error && 422,
  );
}
