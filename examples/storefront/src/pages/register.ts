import type { Hono } from 'hono';
import type { ApiError } from '@storefront/client';
import { countryOptions, homeCountry } from '../countries.ts';
import type { Ctx, Env } from '../context.ts';
import { html, nothing } from '../html.ts';
import { nameFields } from '../parts/address.ts';
import { formOf, pick, sent, type Values } from '../parts/form.ts';
import { page } from '../parts/layout.ts';
import { newPassword } from '../parts/proof.ts';
import { loggedIn } from './login.ts';

/** Accounts, retail and trade: a form, and then the code that the API sends by mail. */
export function registerPages(app: Hono<Env>): void {
  app.get('/register', (c) => registerForm(c, { next: c.req.query('next') ?? '/account' }));

  app.post('/register', async (c) => {
    const values = await sent(c);
    const body = { ...personOf(values), ...pick(values, 'phone') };
    const begun = await c.var.api.try.auth.register({ body });
    if (!begun.ok) return registerForm(c, values, begun.error);
    return codeForm(c, { registrationId: begun.data.registrationId, ...pick(values, 'next') });
  });

  app.get('/trade', (c) => tradeForm(c, { country: homeCountry }));

  app.post('/trade', async (c) => {
    const values = await sent(c);
    const { phone = '', businessName = '', businessAddress = '' } = values;
    const begun = await c.var.api.try.auth.registerTrade({
      body: {
        ...personOf(values),
        phone,
        businessName,
        businessAddress,
        ...pick(values, 'country', 'vatNumber', 'companyRegistration', 'referralCode'),
      },
    });
    if (!begun.ok) return tradeForm(c, values, begun.error);
    return codeForm(c, { registrationId: begun.data.registrationId });
  });

  // On another device, email and password prove whose registration it is.
  app.get('/register/verify', (c) => codeForm(c, {}));

  app.post('/register/verify', async (c) => {
    const { api } = c.var;
    const values = await sent(c);
    const secret = values.registrationId ? pick(values, 'registrationId') : pick(values, 'email', 'password');
    if (values.again) {
      await api.try.auth.resendCode({ body: secret });
      return codeForm(c, { ...values, isSent: 'yes' });
    }
    const verified = await api.try.auth.verifyEmail({ body: { ...secret, code: values.code ?? '' } });
    if (!verified.ok) return codeForm(c, values, verified.error);
    if ('accessToken' in verified.data) return loggedIn(c, verified.data.deviceToken, values.next);
    return applied(c, verified.data.businessName);
  });
}

const personOf = ({ email = '', password = '', firstName = '', lastName = '' }: Values) => ({
  email,
  password,
  firstName,
  lastName,
});

function registerForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, values, error);
  return page(c, {
    title: t('Make an account'),
    body: html`
      <form class="stack narrow" method="post" action="/register">
        <h1>${t('Make an account')}</h1>
        ${form.problem} ${form.hidden('next')} ${nameFields(form)}
        ${form.field('email', 'Email', { type: 'email', autocomplete: 'email', maxlength: 254 })}
        ${newPassword(form, 'password', 'Password')}
        <button>${t('Make the account')}</button>
        <p><a href="/login">${t('I have an account')}</a></p>
      </form>
    `,
  });
}

function tradeForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t, language } = c.var;
  const form = formOf(c, values, error);
  return page(c, {
    title: t('Trade account'),
    body: html`
      <form class="stack narrow" method="post" action="/trade">
        <h1>${t('Trade account')}</h1>
        <p>
          ${t('Trade prices, prices by quantity, and payment by invoice. We look at each application within two working days.')}
        </p>
        ${form.problem} ${form.field('businessName', 'Business', { autocomplete: 'organization', maxlength: 200 })}
        ${form.field('businessAddress', 'Address of the business', { rows: 3, autocomplete: 'street-address' })}
        ${form.select('country', 'Country', countryOptions(language))}
        <div class="pair">
          ${form.field('vatNumber', 'VAT number', { optional: true, maxlength: 32 })}
          ${form.field('companyRegistration', 'Trade register number', { optional: true, maxlength: 64 })}
        </div>
        ${nameFields(form)} ${form.field('phone', 'Phone', { type: 'tel', autocomplete: 'tel', maxlength: 32 })}
        ${form.field('email', 'Email', { type: 'email', autocomplete: 'email', maxlength: 254 })}
        ${newPassword(form, 'password', 'Password')}
        ${form.field('referralCode', 'Referral code', { optional: true, maxlength: 64 })}
        <button>${t('Apply')}</button>
      </form>
    `,
  });
}

function codeForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, { ...values, code: '' }, error);
  return page(c, {
    title: t('Confirm your email'),
    body: html`
      <form class="stack narrow" method="post" action="/register/verify">
        <h1>${t('Confirm your email')}</h1>
        <p>${t('We have sent you a code of 6 digits. It is valid for 10 minutes.')}</p>
        ${values.isSent ? html`<p class="notice" role="status">${t('Another code is on its way.')}</p>` : nothing}
        ${form.problem} ${form.hidden('registrationId', 'next')}
        ${
          values.registrationId
            ? nothing
            : html`${form.field('email', 'Email', { type: 'email', autocomplete: 'username', maxlength: 254 })}
              ${form.field('password', 'Password', { type: 'password', autocomplete: 'current-password' })}`
        }
        ${form.field('code', 'Code', { autocomplete: 'one-time-code', numeric: true, maxlength: 6 })}
        <button>${t('Confirm')}</button>
        <button class="link" name="again" value="yes" formnovalidate>${t('Send another code')}</button>
      </form>
    `,
  });
}

function applied(c: Ctx, businessName: string): Promise<Response> {
  const { t } = c.var;
  return page(c, {
    title: t('Thank you'),
    body: html`<div class="empty">
      <h1>${t('Thank you')}</h1>
      <p>
        ${t('We look at the application of {business}, and write to you within two working days.', { business: businessName })}
      </p>
      <p><a class="button" href="/">${t('To the shop')}</a></p>
    </div>`,
  });
}
