import type { Hono } from 'hono';
import type { ApiError, PasskeyCreation } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { formOf, formPage, narrowForm, type Form, type Values } from '../parts/form.ts';
import { emailField } from '../parts/address.ts';
import { removeButton } from '../parts/lists.ts';
import { problemOfForm } from '../parts/problems.ts';
import type { Sentence } from '../words/translate.ts';
import {
  digitsField,
  newPassword,
  passkeyButton,
  passwordNow,
  proofFields,
  prove,
  readGuard,
  readPasskey,
} from '../parts/proof.ts';

const path = '/account/security';

/** Who is logged in where, and what guards the login: the email, the password, an app, and passkeys. */
export function securityPages(app: Hono<Env>): void {
  formPage(app, path, security, change);
}

async function change(c: Ctx, values: Values): Promise<Response> {
  const { auth, secondFactor, users } = c.var.api;
  const { action, id = '', email = '', currentPassword = '', name = '', removePasskey } = values;
  const done = () => c.redirect(`${path}?done=saved`, 303);
  switch (action ?? '') {
    case 'end':
      await auth.endSession({ params: { id } });
      return done();
    case 'confirm-email': {
      const { emailChangeId = '', code = '' } = values;
      // All other sessions end; the client keeps the new tokens of this one.
      const confirmed = await c.var.api.try.users.confirmEmail({ body: { emailChangeId, code } });
      return confirmed.ok ? done() : confirmEmail(c, values, problemOfForm(confirmed.error));
    }
    case 'confirm-app': {
      const confirmed = await c.var.api.try.secondFactor.confirmTotp({ body: { code: values.code ?? '' } });
      if (!confirmed.ok) return setUpApp(c, values, problemOfForm(confirmed.error));
      return recoveryCodes(c, confirmed.data.recoveryCodes);
    }
    case 'add-passkey': {
      const response = readPasskey(values.passkey ?? '') as PasskeyCreation;
      return recoveryCodes(c, (await secondFactor.addPasskey({ body: { name, response } })).recoveryCodes);
    }
  }
  await prove(c, values);
  if (removePasskey) await secondFactor.removePasskey({ params: { id: removePasskey } });
  switch (action ?? '') {
    case 'email': {
      const { emailChangeId } = await users.changeEmail({ body: { email } });
      return confirmEmail(c, { emailChangeId, email });
    }
    case 'password':
      await auth.changePassword({ body: { currentPassword, newPassword: values.newPassword ?? '' } });
      return done();
    case 'app': {
      const { secret, otpauthUrl } = await secondFactor.beginTotp();
      return setUpApp(c, { secret, otpauthUrl });
    }
    case 'passkey':
      return makePasskey(c, await secondFactor.getPasskeyOptions());
    case 'codes':
      return recoveryCodes(c, (await secondFactor.makeRecoveryCodes()).recoveryCodes);
    case 'remove-app':
      await secondFactor.removeTotp();
  }
  return done();
}

async function security(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { api, t, date } = c.var;
  const [{ email }, { data: sessions }, { data: passkeys }, guard] = await Promise.all([
    api.users.getMe(),
    api.auth.listSessions({}),
    api.secondFactor.listPasskeys({}),
    readGuard(c),
  ]);
  const about = values.action === 'email' || values.action === 'password' ? values.action : 'factor';
  const formFor = (name: typeof about) =>
    name === about ? formOf(c, values, error, name) : formOf(c, {}, undefined, name);
  const [address, password, factor] = [formFor('email'), formFor('password'), formFor('factor')];
  const panel = (name: typeof about, title: Sentence, form: Form, fields: Html) =>
    html`<details class="panel" ${values.action && name === about ? html`open` : nothing}>
      <summary>${t(title)}</summary>
      ${narrowForm(c, path, form, { fields })}
    </details>`;
  return accountPage(
    c,
    'Login and security',
    html`
      <section>
        <h2>${t('Where you are logged in')}</h2>
        <form method="post" action="${path}">
          <input type="hidden" name="action" value="end" />
          <ul class="items rows">
            ${sessions.map(
              ({ id, current, device, ip, lastUsedAt }) =>
                html`<li>
                  <div>
                    <h3>
                      ${device === null ? t('Unknown device') : deviceName(device)}
                      ${current ? html`<span class="badge">${t('this one')}</span>` : nothing}
                    </h3>
                    <p class="hint">${ip ?? ''} · ${t('last used on {day}', { day: date(lastUsedAt) })}</p>
                  </div>
                  ${current ? nothing : html`<button class="link" name="id" value="${id}">${t('Log it out')}</button>`}
                </li>`,
            )}
          </ul>
        </form>
        <form method="post" action="/logout"><button class="quiet">${t('Log out everywhere')}</button></form>
      </section>
      <section>
        <h2>${t('Email')}</h2>
        <p>${email}</p>
        ${panel(
          'email',
          'Change the email',
          address,
          html`
            ${emailField(address, 'email', 'New email')} ${proofFields(c, address, guard)}
            <button name="action" value="email">${t('Send the code')}</button>
          `,
        )}
      </section>
      <section>
        <h2>${t('Password')}</h2>
        ${panel(
          'password',
          'Change the password',
          password,
          html`
            ${passwordNow(password)} ${guard.enabled ? proofFields(c, password, guard) : nothing}
            ${newPassword(password, 'newPassword', 'New password')}
            <button name="action" value="password">${t('Set the password')}</button>
          `,
        )}
      </section>
      <section>
        <h2>${t('Second factor')}</h2>
        <p>
          ${
            guard.enabled
              ? t('Your password alone lets nobody in. {count} recovery codes are left.', {
                  count: guard.recoveryCodesLeft,
                })
              : t('With an authenticator app or a passkey, your password alone lets nobody in.')
          }
        </p>
        ${panel(
          'factor',
          guard.enabled ? 'Change the second factor' : 'Set up a second factor',
          factor,
          html`
            ${proofFields(c, factor, guard)}
            <button name="action" value="app">
              ${guard.totp ? t('Take another authenticator app') : t('Set up an authenticator app')}
            </button>
            <button class="quiet" name="action" value="passkey" data-needs-passkeys hidden>
              ${t('Add a passkey')}
            </button>
            ${
              guard.enabled
                ? html`<p class="row">
                    <button class="quiet" name="action" value="codes">${t('New recovery codes')}</button>
                    ${guard.totp ? html`<button class="quiet" name="action" value="remove-app">${t('Remove the app')}</button>` : nothing}
                  </p>`
                : nothing
            }
            ${
              passkeys.length > 0
                ? html`<ul class="items rows">
                    ${passkeys.map(
                      ({ id, name, createdAt }) =>
                        html`<li>
                          <div>
                            <h3>${t('Passkey “{name}”', { name })}</h3>
                            <p class="hint">${t('made on {day}', { day: date(createdAt) })}</p>
                          </div>
                          ${removeButton(c, 'removePasskey', id, name)}
                        </li>`,
                    )}
                  </ul>`
                : nothing
            }
          `,
        )}
      </section>
    `,
  );
}

/** What people call a program that names itself so: `Chrome, Windows`. */
function deviceName(agent: string): string {
  const [browser] = /Edg|OPR|Firefox|Chrome|Safari/.exec(agent) ?? [];
  const [system] = /Windows|Android|iPhone|iPad|Mac|Linux/.exec(agent) ?? [];
  if (browser === undefined) return agent;
  return [{ Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser, system].filter(Boolean).join(', ');
}

function confirmEmail(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const { email = '' } = values;
  const form = formOf(c, { ...values, code: '', action: 'confirm-email' }, error);
  const body = narrowForm(c, path, form, {
    text: t('We have sent a code of 6 digits to {email}. It is valid for 10 minutes.', { email }),
    fields: html`${form.hidden('action', 'emailChangeId', 'email')} ${digitsField(form, 'Code')}
      <p class="hint">${t('You are then logged out on all other devices.')}</p>`,
    button: 'Confirm',
    below: html`<p><a href="${path}">${t('Begin again')}</a></p>`,
  });
  return accountPage(c, 'Confirm your email', body);
}

function setUpApp(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const { secret = '', otpauthUrl = '' } = values;
  const form = formOf(c, { secret, otpauthUrl, action: 'confirm-app' }, error);
  const body = narrowForm(c, path, form, {
    text: t('Enter this key in your authenticator app, or open the link on the phone that has it.'),
    fields: html`<p><code>${secret.match(/.{1,4}/g)?.join(' ') ?? ''}</code></p>
      <p><a href="${otpauthUrl}">${t('Open in the app')}</a></p>
      ${form.hidden('action', 'secret', 'otpauthUrl')} ${digitsField(form, 'Code of your app')}`,
    button: 'Confirm',
  });
  return accountPage(c, 'Second factor', body);
}

function makePasskey(c: Ctx, options: object): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, { name: deviceName(c.req.header('user-agent') ?? ''), action: 'add-passkey' });
  const body = narrowForm(c, path, form, {
    text: t(
      'A passkey is your fingerprint, your face or the PIN of this device: with it you log in without a password.',
    ),
    fields: html`${form.hidden('action')} ${form.field('name', 'Name of the passkey', { maxlength: 60 })}
    ${passkeyButton(c, 'create', options)}`,
    below: html`<p><a href="${path}">${t('Not now')}</a></p>`,
  });
  return accountPage(c, 'Second factor', body);
}

/** The codes that come with the first second factor, or anew; null with a further one. */
async function recoveryCodes(c: Ctx, codes: readonly string[] | null): Promise<Response> {
  const { t } = c.var;
  if (!codes) return c.redirect(`${path}?done=saved`, 303);
  return accountPage(
    c,
    'Second factor',
    html`
      <p>
        ${t('Your login is guarded. Keep these recovery codes where you find them without your device: each works once, and they are shown only now.')}
      </p>
      <ul class="panel codes">
        ${codes.map((code) => html`<li>${code}</li>`)}
      </ul>
      <p><a class="button" href="/account/security">${t('I have kept them')}</a></p>
    `,
  );
}
