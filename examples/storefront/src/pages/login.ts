import type { Hono } from 'hono';
import { isProblem, type ApiError } from '@storefront/client';
import { joinCarts } from '../cart.ts';
import { ownPath, type Ctx, type Env } from '../context.ts';
import { html, nothing } from '../html.ts';
import { formOf, pick, sent, type Values } from '../parts/form.ts';
import { page } from '../parts/layout.ts';

/** Logging in, with a second factor where the account has one, and new passwords. */
export function loginPages(app: Hono<Env>): void {
  app.get('/login', (c) => loginForm(c, { next: c.req.query('next') ?? '/account' }));

  app.post('/login', async (c) => {
    const { api, session } = c.var;
    const values = await sent(c);
    const { email = '', password = '', mfaToken, code = '' } = values;
    // Recovery codes are longer than the six digits of an authenticator app.
    const proof = /^\d{6}$/.test(code) ? { code } : { recoveryCode: code };
    const known = session.deviceToken && { deviceToken: session.deviceToken };
    const result = mfaToken
      ? await api.try.secondFactor.verifyMfa({ body: { mfaToken, ...proof } })
      : await api.try.auth.logIn({ body: { email, password, ...known } });
    if (result.ok) return loggedIn(c, result.data.deviceToken, values.next);
    const { error } = result;
    if (isProblem(error, 'mfa_required')) return factorForm(c, { ...values, mfaToken: error.problem?.mfaToken ?? '' });
    if (mfaToken && !isProblem(error, 'invalid_mfa_token')) return factorForm(c, values, error);
    return loginForm(c, values, error);
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

const statusOf = (error?: ApiError<string>) => (error ? { status: 422 as const } : {});

function loginForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, values, error);
  return page(c, {
    title: t('Log in'),
    ...statusOf(error),
    body: html`
      <form class="stack narrow" method="post" action="/login">
        <h1>${t('Log in')}</h1>
        ${form.problem} ${form.hidden('next')}
        ${form.field('email', 'Email', { type: 'email', autocomplete: 'username', maxlength: 254 })}
        ${form.field('password', 'Password', { type: 'password', autocomplete: 'current-password' })}
        <button>${t('Log in')}</button>
        <p><a href="/password/forgot">${t('Password forgotten?')}</a></p>
        <p>
          ${t('New here?')} <a href="/register">${t('Make an account')}</a> · <a href="/trade">${t('Trade account')}</a>
        </p>
        ${error?.code === 'email_not_verified' ? html`<p><a href="/register/verify">${t('Enter the code of our mail')}</a></p>` : nothing}
      </form>
    `,
  });
}

function factorForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, { ...values, code: '' }, error);
  return page(c, {
    title: t('Second factor'),
    ...statusOf(error),
    body: html`
      <form class="stack narrow" method="post" action="/login">
        <h1>${t('Second factor')}</h1>
        ${form.problem} ${form.hidden('next', 'mfaToken')}
        ${form.field('code', 'Code', { autocomplete: 'one-time-code', maxlength: 20, hint: 'The 6 digits of your authenticator app, or a recovery code.' })}
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
    ...statusOf(error),
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
    ...statusOf(error),
    body: html`
      <form class="stack narrow" method="post" action="/password/reset">
        <h1>${t('New password')}</h1>
        ${form.problem} ${form.hidden('recoveryId')}
        ${form.field('code', 'Code', { autocomplete: 'one-time-code', maxlength: 43, hint: 'It is in our mail.' })}
        ${form.field('newPassword', 'New password', { type: 'password', autocomplete: 'new-password', hint: 'At least 8 characters. A sentence is a good password.' })}
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
    ...statusOf(error),
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
