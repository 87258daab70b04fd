import type { Hono } from 'hono';
import { isProblem, type ApiError, type PasskeyAnswer } from '@storefront/client';
import { joinCarts } from '../cart.ts';
import { ownPath, type Ctx, type Env } from '../context.ts';
import { html, nothing } from '../html.ts';
import { emailField } from '../parts/address.ts';
import { formOf, formPage, narrowPage, sent, type Values } from '../parts/form.ts';
import { codeField, factorOf, newPassword, passkeyButton, readPasskey } from '../parts/proof.ts';

/** Logging in, with a second factor where the account has one, and new passwords. */
export function loginPages(app: Hono<Env>): void {
  app.get('/login', (c) => loginForm(c, { next: c.req.query('next') ?? '/account' }));

  app.post('/login', async (c) => {
    const { api, session } = c.var;
    const values = await sent(c);
    const { email = '', password = '', mfaToken, passkey } = values;
    const result = mfaToken
      ? await api.try.secondFactor.verifyMfa({ body: { mfaToken, ...(factorOf(values) ?? { code: '' }) } })
      : passkey
        ? await api.try.secondFactor.logInByPasskey({ body: { response: readPasskey(passkey) as PasskeyAnswer } })
        : await api.try.auth.logIn({ body: { email, password, deviceToken: session.deviceToken } });
    if (result.ok) return loggedIn(c, result.data.deviceToken, values);
    const { error } = result;
    if (isProblem(error, 'mfa_required')) {
      const { mfaToken: waiting = '', methods = [] } = error.problem ?? {};
      return factorForm(c, { ...values, mfaToken: waiting, methods: methods.join(' ') });
    }
    if (mfaToken && !isProblem(error, 'invalid_mfa_token')) return factorForm(c, values, error);
    return loginForm(c, values, error);
  });

  // By POST too: a form whose session is over goes along, hidden in that of the login.
  app.on(['GET', 'POST'], '/login/passkey', async (c) => {
    const values = { next: c.req.query('next') ?? '/account', ...(await sent(c)) };
    const options = await c.var.api.secondFactor.getPasskeyLoginOptions();
    const form = formOf(c, values);
    return narrowPage(c, '/login', form, {
      title: 'Log in',
      heading: 'Log in with a passkey',
      fields: html`${form.hidden('next', 'typed')} ${passkeyButton(c, 'log-in', options)}`,
      below: html`<p>
        <a href="/login?${new URLSearchParams({ next: values.next })}">${c.var.t('Log in with your password')}</a>
      </p>`,
    });
  });

  app.post('/logout', async (c) => {
    await c.var.api.try.auth.logOut();
    c.var.session.end();
    c.var.session.cartId = undefined;
    return c.redirect('/?done=logged-out', 303);
  });

  formPage(app, '/password/forgot', forgotForm, async (c, { email = '' }) => {
    const { recoveryId } = await c.var.api.auth.forgotPassword({ body: { email } });
    return resetForm(c, { recoveryId });
  });

  // The link of the mail leads here, with a long code behind its #, which a script of the page puts into the form.
  formPage(app, '/password/reset', resetForm, async (c, { code = '', newPassword = '', recoveryId }) => {
    const byDigits = /^\d{6}$/.test(code) && { recoveryId };
    await c.var.api.auth.resetPassword({ body: { code, newPassword, ...byDigits } });
    c.var.session.end();
    return c.redirect('/login?done=password-set', 303);
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

export function loginForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, values, error);
  return narrowPage(c, '/login', form, {
    title: 'Log in',
    text: values.typed && t('Your login is over. Log in again: what you have typed is kept.'),
    fields: html`${form.hidden('next', 'typed')} ${emailField(form, 'username')}
    ${form.field('password', 'Password', { type: 'password', autocomplete: 'current-password' })}`,
    button: 'Log in',
    below: html`
      <button class="quiet" formaction="/login/passkey" formnovalidate data-needs-passkeys hidden>
        ${t('Log in with a passkey')}
      </button>
      <p><a href="/password/forgot">${t('Password forgotten?')}</a></p>
      <p>
        ${t('New here?')} <a href="/register">${t('Make an account')}</a> · <a href="/trade">${t('Trade account')}</a>
      </p>
      ${error?.code === 'email_not_verified' ? html`<p><a href="/register/verify">${t('Enter the code of our mail')}</a></p>` : nothing}
    `,
  });
}

async function factorForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { api, t } = c.var;
  const { mfaToken = '', methods = '' } = values;
  const question =
    methods.includes('passkey') && (await api.try.secondFactor.getMfaPasskeyOptions({ body: { mfaToken } }));
  const form = formOf(c, { ...values, code: '' }, error);
  return narrowPage(c, '/login', form, {
    title: 'Second factor',
    fields: html`${form.hidden('next', 'typed', 'mfaToken', 'methods')}
    ${question && question.ok ? passkeyButton(c, 'log-in', question.data) : nothing} ${codeField(form)}`,
    button: 'Log in',
    below: html`<p><a href="/login">${t('Begin again')}</a></p>`,
  });
}

function forgotForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const form = formOf(c, values, error);
  return narrowPage(c, '/password/forgot', form, {
    title: 'New password',
    text: c.var.t('We send you a code by mail, if there is an account with this email.'),
    fields: emailField(form, 'username'),
    button: 'Send the code',
  });
}

function resetForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const form = formOf(c, values, error);
  return narrowPage(c, '/password/reset', form, {
    title: 'New password',
    fields: html`${form.hidden('recoveryId')}
    ${form.field('code', 'Code', { autocomplete: 'one-time-code', maxlength: 43, hint: 'It is in our mail.' })}
    ${newPassword(form, 'newPassword', 'New password')}`,
    button: 'Set the password',
  });
}

function revertForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const form = formOf(c, values, error);
  return narrowPage(c, '/changes/revert', form, {
    title: 'Undo changes',
    heading: 'That was not you?',
    text: c.var.t(
      'This undoes all changes of email, password and second factors of the last 7 days, and ends all sessions.',
    ),
    fields: form.field('token', 'Secret of the link', {
      hint: 'What stands after “token=” in the link of the mail.',
    }),
    button: 'Undo the changes',
  });
}
