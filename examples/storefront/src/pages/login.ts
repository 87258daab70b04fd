import type { Hono } from 'hono';
import { isProblem, type ApiError, type PasskeyAnswer } from '@storefront/client';
import { joinCarts } from '../cart.ts';
import { ownPath, type Ctx, type Env } from '../context.ts';
import { html, nothing } from '../html.ts';
import { formOf, pick, sent, type Values } from '../parts/form.ts';
import { page } from '../parts/layout.ts';
import { codeField, factorOf, newPassword, passkeyButton, readPasskey } from '../parts/proof.ts';

/** Logging in, with a second factor where the account has one, and new passwords. */
export function loginPages(app: Hono<Env>): void {
  app.get('/login', (c) => loginForm(c, { next: c.req.query('next') ?? '/account' }));

  app.post('/login', async (c) => {
    const { api, session } = c.var;
    const values = await sent(c);
    const { email = '', password = '', mfaToken, passkey } = values;
    const known = session.deviceToken && { deviceToken: session.deviceToken };
    const result = mfaToken
      ? await api.try.secondFactor.verifyMfa({ body: { mfaToken, ...(factorOf(values) ?? { code: '' }) } })
      : passkey
        ? await api.try.secondFactor.logInByPasskey({ body: { response: readPasskey(passkey) as PasskeyAnswer } })
        : await api.try.auth.logIn({ body: { email, password, ...known } });
    if (result.ok) return loggedIn(c, result.data.deviceToken, values.next);
    const { error } = result;
    if (isProblem(error, 'mfa_required')) {
      const { mfaToken: waiting = '', methods = [] } = error.problem ?? {};
      return factorForm(c, { ...values, mfaToken: waiting, methods: methods.join(' ') });
    }
    if (mfaToken && !isProblem(error, 'invalid_mfa_token')) return factorForm(c, values, error);
    return loginForm(c, values, error);
  });

  app.get('/login/passkey', async (c) => {
    const { api, t } = c.var;
    const next = c.req.query('next') ?? '/account';
    const form = formOf(c, { next });
    const options = await api.secondFactor.getPasskeyLoginOptions();
    return page(c, {
      title: t('Log in'),
      body: html`
        <form class="stack narrow" method="post" action="/login">
          <h1>${t('Log in with a passkey')}</h1>
          ${form.hidden('next')} ${passkeyButton(c, 'log-in', options)}
          <p><a href="/login?${new URLSearchParams({ next })}">${t('Log in with your password')}</a></p>
        </form>
      `,
    });
  });

  app.post('/logout', async (c) => {
    await c.var.api.try.auth.logOut();
    c.var.session.end();
    c.var.session.cartId = undefined;
    return c.redirect('/?done=logged-out', 303);
  });

  app.get('/password/forgot', (c) => forgotForm(c));

  app.post('/password/forgot', async (c) => {
    const values = await sent(c);
    const begun = await c.var.api.try.auth.forgotPassword({ body: { email: values.email ?? '' } });
    return begun.ok ? resetForm(c, { recoveryId: begun.data.recoveryId }) : forgotForm(c, values, begun.error);
  });

  // The link of the mail leads here, with a long code behind its #, which a script of the page puts into the form.
  app.get('/password/reset', (c) => resetForm(c));

  app.post('/password/reset', async (c) => {
    const values = await sent(c);
    const { code = '', newPassword = '' } = values;
    const body = { code, newPassword, ...(/^\d{6}$/.test(code) && pick(values, 'recoveryId')) };
    const reset = await c.var.api.try.auth.resetPassword({ body });
    if (!reset.ok) return resetForm(c, values, reset.error);
    c.var.session.end();
    return c.redirect('/login?done=password-set', 303);
  });

  app.get('/changes/revert', (c) => revertForm(c));

  app.post('/changes/revert', async (c) => {
    const values = await sent(c);
    const reverted = await c.var.api.try.auth.revertChanges({ body: { token: values.token ?? '' } });
    if (!reverted.ok) return revertForm(c, values, reverted.error);
    c.var.session.end();
    return c.redirect('/password/forgot?done=reverted', 303);
  });
}

/** The tokens are in the session already: the client has put them there. */
export async function loggedIn(c: Ctx, deviceToken: string, next = '/account'): Promise<Response> {
  c.var.session.deviceToken = deviceToken;
  await joinCarts(c);
  return c.redirect(ownPath(next), 303);
}

function loginForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, values, error);
  return page(c, {
    title: t('Log in'),
    body: html`
      <form class="stack narrow" method="post" action="/login">
        <h1>${t('Log in')}</h1>
        ${form.problem} ${form.hidden('next')}
        ${form.field('email', 'Email', { type: 'email', autocomplete: 'username', maxlength: 254 })}
        ${form.field('password', 'Password', { type: 'password', autocomplete: 'current-password' })}
        <button>${t('Log in')}</button>
        <a
          class="button quiet"
          href="/login/passkey?${new URLSearchParams(pick(values, 'next'))}"
          data-needs-passkeys
          hidden
        >
          ${t('Log in with a passkey')}
        </a>
        <p><a href="/password/forgot">${t('Password forgotten?')}</a></p>
        <p>
          ${t('New here?')} <a href="/register">${t('Make an account')}</a> · <a href="/trade">${t('Trade account')}</a>
        </p>
        ${error?.code === 'email_not_verified' ? html`<p><a href="/register/verify">${t('Enter the code of our mail')}</a></p>` : nothing}
      </form>
    `,
  });
}

async function factorForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { api, t } = c.var;
  const { mfaToken = '', methods = '' } = values;
  const question =
    methods.includes('passkey') && (await api.try.secondFactor.getMfaPasskeyOptions({ body: { mfaToken } }));
  const form = formOf(c, { ...values, code: '' }, error);
  return page(c, {
    title: t('Second factor'),
    body: html`
      <form class="stack narrow" method="post" action="/login">
        <h1>${t('Second factor')}</h1>
        ${form.problem} ${form.hidden('next', 'mfaToken', 'methods')}
        ${question && question.ok ? passkeyButton(c, 'log-in', question.data) : nothing} ${codeField(form)}
        <button>${t('Log in')}</button>
        <p><a href="/login">${t('Begin again')}</a></p>
      </form>
    `,
  });
}

function forgotForm(c: Ctx, values: Values = {}, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, values, error);
  return page(c, {
    title: t('New password'),
    body: html`
      <form class="stack narrow" method="post" action="/password/forgot">
        <h1>${t('New password')}</h1>
        <p>${t('We send you a code by mail, if there is an account with this email.')}</p>
        ${form.problem} ${form.field('email', 'Email', { type: 'email', autocomplete: 'username', maxlength: 254 })}
        <button>${t('Send the code')}</button>
      </form>
    `,
  });
}

function resetForm(c: Ctx, values: Values = {}, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, values, error);
  return page(c, {
    title: t('New password'),
    body: html`
      <form class="stack narrow" method="post" action="/password/reset">
        <h1>${t('New password')}</h1>
        ${form.problem} ${form.hidden('recoveryId')}
        ${form.field('code', 'Code', { autocomplete: 'one-time-code', maxlength: 43, hint: 'It is in our mail.' })}
        ${newPassword(form, 'newPassword', 'New password')}
        <button>${t('Set the password')}</button>
      </form>
    `,
  });
}

function revertForm(c: Ctx, values: Values = {}, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, values, error);
  return page(c, {
    title: t('Undo changes'),
    body: html`
      <form class="stack narrow" method="post" action="/changes/revert">
        <h1>${t('That was not you?')}</h1>
        <p>
          ${t('This undoes all changes of email, password and second factors of the last 7 days, and ends all sessions.')}
        </p>
        ${form.problem}
        ${form.field('token', 'Secret of the link', { hint: 'What stands after “token=” in the link of the mail.' })}
        <button>${t('Undo the changes')}</button>
      </form>
    `,
  });
}
