import type { PasskeyCreation } from '@storefront/client';
import { html, type App, type Ctx, type Html } from '../context.ts';
import { formOf, formPage, narrowForm, type Form, type Narrow } from '../parts/form.ts';
import { accountPage } from '../parts/layout.ts';
import { removeButton } from '../parts/lists.ts';
import { passkeyButton, proofFields, prove, readGuard, readPasskey } from '../parts/proof.ts';
import type { Sentence } from '../words/translate.ts';

const home = '/account/security';
const [emailPath, passwordPath, factorPath] = [`${home}/email`, `${home}/password`, `${home}/factor`];

/** Who is logged in where, and what guards the login: the email, the password, an app, and passkeys. */
export function securityPages(app: App): void {
  formPage(app, home, security, async (c, { id = '' }) => {
    await c.var.api.auth.endSession({ params: { id } });
    return 'saved';
  });

  formPage(app, emailPath, newEmail, async (c, values) => {
    await prove(c, values);
    const { emailChangeId } = await c.var.api.users.changeEmail({ body: { email: values.email ?? '' } });
    return confirmEmail(c, formOf(c, { ...values, emailChangeId }));
  });
  formPage(app, `${emailPath}/confirm`, confirmEmail, async (c, { emailChangeId = '', code = '' }) => {
    // All other sessions end; the client keeps the new tokens of this one.
    await c.var.api.users.confirmEmail({ body: { emailChangeId, code } });
    return saved(c);
  });

  formPage(app, passwordPath, newPassword, async (c, values) => {
    const { currentPassword = '', newPassword = '' } = values;
    await prove(c, values);
    await c.var.api.auth.changePassword({ body: { currentPassword, newPassword } });
    return saved(c);
  });

  formPage(app, factorPath, factor, async (c, values) => {
    const { secondFactor } = c.var.api;
    await prove(c, values);
    if (values.removePasskey) await secondFactor.removePasskey({ params: { id: values.removePasskey } });
    switch (values.action ?? '') {
      case 'app':
        return setUpApp(c, formOf(c, { ...(await secondFactor.beginTotp()) }));
      case 'passkey':
        return c.redirect(`${factorPath}/passkey`, 303);
      case 'codes':
        return recoveryCodes(c, (await secondFactor.makeRecoveryCodes()).recoveryCodes);
      case 'remove-app':
        await secondFactor.removeTotp();
    }
    return 'saved';
  });
  formPage(app, `${factorPath}/app`, setUpApp, async (c, { code = '' }) =>
    recoveryCodes(c, (await c.var.api.secondFactor.confirmTotp({ body: { code } })).recoveryCodes),
  );
  formPage(app, `${factorPath}/passkey`, makePasskey, async (c, { name = '', passkey }) => {
    const response = readPasskey(passkey) as PasskeyCreation;
    return recoveryCodes(c, (await c.var.api.secondFactor.addPasskey({ body: { name, response } })).recoveryCodes);
  });
}

const saved = (c: Ctx) => c.redirect(`${home}?done=saved`, 303);

async function security(c: Ctx, form: Form): Promise<Response> {
  const { api, t, date } = c.var;
  const [{ email }, { data: sessions }, { enabled, recoveryCodesLeft }] = await Promise.all([
    api.users.getMe(),
    api.auth.listSessions({}),
    api.secondFactor.getMfa(),
  ]);
  const factor = enabled
    ? t('Your password alone lets nobody in. {count} recovery codes are left.', { count: recoveryCodesLeft })
    : t('With an authenticator app or a passkey, your password alone lets nobody in.');
  const link = (href: string, label: Sentence) => html`<a href="${href}">${t(label)}</a>`;
  const devices = sessions.map(({ id, current, device, ip, lastUsedAt }): Row => {
    const name = device === null ? t('Unknown device') : deviceName(device);
    const used = `${ip ?? ''} · ${t('last used on {day}', { day: date(lastUsedAt) })}`;
    if (current) return [html`${name} <span class="badge">${t('this one')}</span>`, used, false];
    return [name, used, html`<button class="link" name="id" value="${id}">${t('Log it out')}</button>`];
  });
  const body = html`
    ${rowList([
      [t('Email'), email, link(emailPath, 'Change the email')],
      [t('Password'), '', link(passwordPath, 'Change the password')],
      [t('Second factor'), factor, link(factorPath, enabled ? 'Change the second factor' : 'Set up a second factor')],
    ])}
    <h2>${t('Where you are logged in')}</h2>
    <form method="post" action="${home}">${form.problem} ${rowList(devices)}</form>
    <form method="post" action="/logout"><button class="quiet">${t('Log out everywhere')}</button></form>
  `;
  return accountPage(c, 'Login and security', body);
}

type Row = readonly [name: string | Html, text: string, action: Html];

/** Lines, each with what can be done about it. */
const rowList = (rows: readonly Row[]): Html =>
  rows.length > 0 &&
  html`<ul class="rows">
    ${rows.map(
      ([name, text, action]) =>
        html`<li>
          <div>
            <b>${name}</b>
            <p class="hint">${text}</p>
          </div>
          ${action}
        </li>`,
    )}
  </ul>`;

/** What people call a program that names itself so: `Chrome, Windows`. */
function deviceName(agent: string): string {
  const [browser] = /Edg|OPR|Firefox|Chrome|Safari/.exec(agent) ?? [];
  const [system] = /Windows|Android|iPhone|iPad|Mac|Linux/.exec(agent) ?? [];
  if (browser === undefined) return agent;
  return [{ Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser, system].filter(Boolean).join(', ');
}

/** A page with one form of these, from which one can go back. */
function step(c: Ctx, title: Sentence, action: string, form: Form, parts: Narrow): Promise<Response> {
  const below = html`<p><a href="${home}">${c.var.t('Not now')}</a></p>`;
  return accountPage(c, title, narrowForm(c, action, form, { below, ...parts }));
}

async function newEmail(c: Ctx, form: Form): Promise<Response> {
  const guard = await readGuard(c);
  const fields = html`${form.field('email', { label: 'New email' })} ${proofFields(c, form, guard)}`;
  return step(c, 'Change the email', emailPath, form, { fields, button: 'Send the code' });
}

function confirmEmail(c: Ctx, form: Form): Response | Promise<Response> {
  const { t } = c.var;
  const { emailChangeId, email = '' } = form.values;
  if (!emailChangeId) return c.redirect(emailPath, 303);
  return step(c, 'Confirm your email', `${emailPath}/confirm`, form, {
    text: t('We have sent a code of 6 digits to {email}. It is valid for 10 minutes.', { email }),
    fields: html`${form.hidden('emailChangeId', 'email')} ${form.field('code')}
      <p class="hint">${t('You are then logged out on all other devices.')}</p>`,
    button: 'Confirm',
  });
}

async function newPassword(c: Ctx, form: Form): Promise<Response> {
  const guard = await readGuard(c);
  const fields = html`${proofFields(c, form, guard, true)} ${form.field('newPassword')}`;
  return step(c, 'Change the password', passwordPath, form, { fields, button: 'Set the password' });
}

async function factor(c: Ctx, form: Form): Promise<Response> {
  const { t, date } = c.var;
  const [guard, { data }] = await Promise.all([readGuard(c), c.var.api.secondFactor.listPasskeys({})]);
  const button = (action: string, label: Sentence, kind = 'quiet') =>
    html`<button class="${kind}" name="action" value="${action}">${t(label)}</button>`;
  const passkeys = data.map(({ id, name, createdAt }): Row => {
    const made = t('made on {day}', { day: date(createdAt) });
    return [t('Passkey “{name}”', { name }), made, removeButton(c, 'removePasskey', id, name)];
  });
  return step(c, 'Second factor', factorPath, form, {
    text: t('With an authenticator app or a passkey, your password alone lets nobody in.'),
    fields: html`
      ${proofFields(c, form, guard)}
      ${button('app', guard.totp ? 'Take another authenticator app' : 'Set up an authenticator app', '')}
      <button class="quiet" name="action" value="passkey" data-needs-passkeys hidden>${t('Add a passkey')}</button>
      ${guard.enabled && button('codes', 'New recovery codes')} ${guard.totp && button('remove-app', 'Remove the app')}
      ${rowList(passkeys)}
    `,
  });
}

function setUpApp(c: Ctx, form: Form): Response | Promise<Response> {
  const { t } = c.var;
  const { secret, otpauthUrl } = form.values;
  if (!secret) return c.redirect(factorPath, 303);
  return step(c, 'Second factor', `${factorPath}/app`, form, {
    text: t('Enter this key in your authenticator app, or open the link on the phone that has it.'),
    fields: html`<p><code>${secret.match(/.{1,4}/g)?.join(' ')}</code></p>
      <p><a href="${otpauthUrl}">${t('Open in the app')}</a></p>
      ${form.hidden('secret', 'otpauthUrl')} ${form.field('code', { label: 'Code of your app' })}`,
    button: 'Confirm',
  });
}

async function makePasskey(c: Ctx, typed: Form): Promise<Response> {
  const options = await c.var.api.secondFactor.getPasskeyOptions();
  const form = typed.startingWith({ name: deviceName(c.req.header('user-agent') ?? '') });
  return step(c, 'Second factor', `${factorPath}/passkey`, form, {
    text: c.var.t(
      'A passkey is your fingerprint, your face or the PIN of this device: with it you log in without a password.',
    ),
    fields: html`${form.field('name')} ${passkeyButton(c, 'create', options)}`,
  });
}

/** The codes that come with the first second factor, or anew; null with a further one. */
async function recoveryCodes(c: Ctx, codes: readonly string[] | null): Promise<Response> {
  const { t } = c.var;
  if (!codes) return saved(c);
  const body = html`
    <p>
      ${t('Your login is guarded. Keep these recovery codes where you find them without your device: each works once, and they are shown only now.')}
    </p>
    <ul class="panel codes">
      ${codes.map((code) => html`<li>${code}</li>`)}
    </ul>
    <p><a class="button" href="${home}">${t('I have kept them')}</a></p>
  `;
  return accountPage(c, 'Second factor', body);
}
