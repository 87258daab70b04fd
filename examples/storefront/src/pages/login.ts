import { isProblem, type PasskeyAnswer } from '@storefront/client';
import { joinCarts } from '../cart.ts';
import { html, ownPath, type App, type Ctx, type Html } from '../context.ts';
import { formOf, formPage, narrowPage, type Form, type Values } from '../parts/form.ts';
import { factorCode, factorOf, passkeyButton, readPasskey } from '../parts/proof.ts';
import type { Sentence } from '../words/translate.ts';

/** Logging in, with a second factor where the account has one, and new passwords. */
export function loginPages(app: App): void {
  formPage(app, '/login', loginForm, async (c, values) => {
    const { api, session } = c.var;
    const { email = '', password = '' } = values;
    const found = await api.try.auth.logIn({ body: { email, password, deviceToken: session.deviceToken } });
    if (found.ok) return loggedIn(c, found.data.deviceToken, values);
    if (!isProblem(found.error, 'mfa_required')) throw found.error;
    const { mfaToken = '', methods = [] } = found.error.problem ?? {};
    return factorForm(c, formOf(c, { ...values, mfaToken, methods: methods.join(' ') }));
  });

  formPage(app, '/login/factor', factorForm, async (c, values) => {
    const body = { mfaToken: values.mfaToken ?? '', ...(factorOf(values) ?? { code: '' }) };
    const { deviceToken } = await c.var.api.secondFactor.verifyMfa({ body });
    return loggedIn(c, deviceToken, values);
  });

  formPage(app, '/login/passkey', passkeyForm, async (c, values) => {
    const response = readPasskey(values.passkey) as PasskeyAnswer;
    const { deviceToken } = await c.var.api.secondFactor.logInByPasskey({ body: { response } });
    return loggedIn(c, deviceToken, values);
  });

  app.post('/logout', async (c) => {
    await c.var.api.try.auth.logOut();
    c.var.session.end();
    c.var.session.cartId = undefined;
    return c.redirect('/?done=logged-out', 303);
  });

  formPage(app, '/password/forgot', forgotForm, async (c, values) => {
    const { recoveryId } = await c.var.api.auth.forgotPassword({ body: { email: values.email ?? '' } });
    return resetForm(c, formOf(c, { ...values, recoveryId }));
  });

  // The link of the mail leads here, with a long code behind its #, which a script of the page puts into the form.
  formPage(app, '/password/reset', resetForm, async (c, values) => {
    const { code = '', newPassword = '', recoveryId } = values;
    const byDigits = /^\d{6}$/.test(code) && { recoveryId };
    await c.var.api.auth.resetPassword({ body: { code, newPassword, ...byDigits } });
    c.var.session.end();
    return loginForm(c, formOf(c, values), 'Your new password is set. Log in with it.');
  });

  formPage(app, '/changes/revert', revertForm, async (c, { token = '' }) => {
    await c.var.api.auth.revertChanges({ body: { token } });
    c.var.session.end();
    return c.redirect('/password/forgot?done=reverted', 303);
  });
}

/**
 * The tokens are in the session already: the client has put them there. A form whose session was over goes on to its page by the
 * status 307, which has the browser send it there once more.
 */
export async function loggedIn(c: Ctx, deviceToken: string, { next = '/account', typed }: Values): Promise<Response> {
  c.var.session.deviceToken = deviceToken;
  await joinCarts(c);
  return c.redirect(ownPath(next), typed === undefined ? 303 : 307);
}

/** Leads to another page on the way to a login. What was typed before the login was over goes along, which takes a button. */
export const wayTo = (c: Ctx, { values: { next, typed } }: Form, path: string, label: Sentence): Html =>
  typed === undefined
    ? html`<a href="${path}${next && `?${new URLSearchParams({ next })}`}">${c.var.t(label)}</a>`
    : html`<button class="link" formaction="${path}" formnovalidate name="begin" value="yes">
        ${c.var.t(label)}
      </button>`;

export function loginForm(c: Ctx, form: Form, says?: Sentence): Promise<Response> {
  const { t } = c.var;
  return narrowPage(c, '/login', form, {
    title: 'Log in',
    text: says ? t(says) : form.values.typed && t('Your login is over. Log in again: what you have typed is kept.'),
    fields: html`${form.hidden('next', 'typed')} ${form.field('email', { autocomplete: 'username' })}
    ${form.field('password')}`,
    button: 'Log in',
    below: html`
      <button
        class="quiet"
        formaction="/login/passkey"
        formnovalidate
        name="begin"
        value="yes"
        data-needs-passkeys
        hidden
      >
        ${t('Log in with a passkey')}
      </button>
      <p>${wayTo(c, form, '/password/forgot', 'Password forgotten?')}</p>
      <p>
        ${t('New here?')} ${wayTo(c, form, '/register', 'Make an account')} · <a href="/trade">${t('Trade account')}</a>
      </p>
      ${form.error?.code === 'email_not_verified' && html`<p>${wayTo(c, form, '/register/verify', 'Enter the code of our mail')}</p>`}
    `,
  });
}

async function factorForm(c: Ctx, form: Form): Promise<Response> {
  const { mfaToken, methods = '' } = form.values;
  if (!mfaToken) return c.redirect('/login', 303);
  const question =
    methods.includes('passkey') && (await c.var.api.try.secondFactor.getMfaPasskeyOptions({ body: { mfaToken } }));
  return narrowPage(c, '/login/factor', form, {
    title: 'Second factor',
    fields: html`${form.hidden('next', 'typed', 'mfaToken', 'methods')}
    ${question && question.ok && passkeyButton(c, 'log-in', question.data)} ${form.field('code', factorCode)}`,
    button: 'Log in',
    below: html`<p>${wayTo(c, form, '/login', 'Begin again')}</p>`,
  });
}

async function passkeyForm(c: Ctx, form: Form): Promise<Response> {
  const options = await c.var.api.secondFactor.getPasskeyLoginOptions();
  return narrowPage(c, '/login/passkey', form, {
    title: 'Log in with a passkey',
    fields: html`${form.hidden('next', 'typed')} ${passkeyButton(c, 'log-in', options)}`,
    below: html`<p>${wayTo(c, form, '/login', 'Log in with your password')}</p>`,
  });
}

function forgotForm(c: Ctx, form: Form): Promise<Response> {
  return narrowPage(c, '/password/forgot', form, {
    title: 'New password',
    text: c.var.t('We send you a code by mail, if there is an account with this email.'),
    fields: html`${form.hidden('next', 'typed')} ${form.field('email', { autocomplete: 'username' })}`,
    button: 'Send the code',
  });
}

function resetForm(c: Ctx, form: Form): Promise<Response> {
  const code = { maxlength: 43, numeric: false, isOnce: false, hint: 'It is in our mail.' } as const;
  return narrowPage(c, '/password/reset', form, {
    title: 'New password',
    fields: html`${form.hidden('next', 'typed', 'recoveryId', 'email')} ${form.field('code', code)}
    ${form.field('newPassword')}`,
    button: 'Set the password',
  });
}

function revertForm(c: Ctx, form: Form): Promise<Response> {
  return narrowPage(c, '/changes/revert', form, {
    title: 'That was not you?',
    text: c.var.t(
      'This undoes all changes of email, password and second factors of the last 7 days, and ends all sessions.',
    ),
    fields: form.field('token'),
    button: 'Undo the changes',
  });
}
