import type { Hono } from 'hono';
import type { ApiError } from '@storefront/client';
import { countryOptions, homeCountry } from '../countries.ts';
import type { Ctx, Env } from '../context.ts';
import { html, nothing } from '../html.ts';
import { emailField, nameFields, phoneField } from '../parts/address.ts';
import { formOf, formPage, narrowPage, type Values } from '../parts/form.ts';
import { leadTo, notePage } from '../parts/layout.ts';
import { digitsField, newPassword } from '../parts/proof.ts';
import { loggedIn } from './login.ts';

/** Accounts, retail and trade: a form, and then the code that the API sends by mail. */
export function registerPages(app: Hono<Env>): void {
  formPage(app, '/register', registerForm, async (c, values) => {
    const { registrationId } = await c.var.api.auth.register({ body: { ...personOf(values), phone: values.phone } });
    return codeForm(c, { registrationId, next: values.next ?? '' });
  });

  formPage(app, '/trade', tradeForm, async (c, values) => {
    const { phone = '', businessName = '', businessAddress = '' } = values;
    const { country, vatNumber, companyRegistration, referralCode } = values;
    const more = { country, vatNumber, companyRegistration, referralCode };
    const body = { ...personOf(values), phone, businessName, businessAddress, ...more };
    const { registrationId } = await c.var.api.auth.registerTrade({ body });
    return codeForm(c, { registrationId });
  });

  // On another device, email and password prove whose registration it is.
  formPage(app, '/register/verify', codeForm, async (c, values) => {
    const { api, t } = c.var;
    const { registrationId, email, password, code = '', again } = values;
    const secret = registrationId ? { registrationId } : { email, password };
    if (again) {
      await api.try.auth.resendCode({ body: secret });
      return codeForm(c, { ...values, isSent: 'yes' });
    }
    const verified = await api.auth.verifyEmail({ body: { ...secret, code } });
    if ('accessToken' in verified) return loggedIn(c, verified.deviceToken, values);
    const said = t('We look at the application of {business}, and write to you within two working days.', {
      business: verified.businessName,
    });
    return notePage(c, t('Thank you'), said, leadTo(c, '/', 'To the shop'));
  });
}

const personOf = ({ email = '', password = '', firstName = '', lastName = '' }: Values) => ({
  email,
  password,
  firstName,
  lastName,
});

function registerForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const form = formOf(c, { next: c.req.query('next') ?? '/account', ...values }, error);
  return narrowPage(c, '/register', form, {
    title: 'Make an account',
    fields: html`${form.hidden('next')} ${nameFields(form)} ${emailField(form, 'email')}
    ${newPassword(form, 'password', 'Password')}`,
    button: 'Make the account',
    below: html`<p><a href="/login">${c.var.t('I have an account')}</a></p>`,
  });
}

function tradeForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t, language } = c.var;
  const form = formOf(c, { country: homeCountry, ...values }, error);
  return narrowPage(c, '/trade', form, {
    title: 'Trade account',
    text: t(
      'Trade prices, prices by quantity, and payment by invoice. We look at each application within two working days.',
    ),
    fields: html`
      ${form.field('businessName', 'Business', { autocomplete: 'organization', maxlength: 200 })}
      ${form.field('businessAddress', 'Address of the business', { rows: 3, autocomplete: 'street-address' })}
      ${form.select('country', 'Country', countryOptions(language))}
      <div class="pair">
        ${form.field('vatNumber', 'VAT number', { optional: true, maxlength: 32 })}
        ${form.field('companyRegistration', 'Trade register number', { optional: true, maxlength: 64 })}
      </div>
      ${nameFields(form)} ${phoneField(form)} ${emailField(form, 'email')} ${newPassword(form, 'password', 'Password')}
      ${form.field('referralCode', 'Referral code', { optional: true, maxlength: 64 })}
    `,
    button: 'Apply',
  });
}

function codeForm(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t } = c.var;
  const form = formOf(c, { ...values, code: '' }, error);
  return narrowPage(c, '/register/verify', form, {
    title: 'Confirm your email',
    text: t('We have sent you a code of 6 digits. It is valid for 10 minutes.'),
    fields: html`
      ${values.isSent ? html`<p class="notice" role="status">${t('Another code is on its way.')}</p>` : nothing}
      ${form.hidden('registrationId', 'next')}
      ${
        values.registrationId
          ? nothing
          : html`${emailField(form, 'username')}
            ${form.field('password', 'Password', { type: 'password', autocomplete: 'current-password' })}`
      }
      ${digitsField(form, 'Code')}
    `,
    button: 'Confirm',
    below: html`<button class="link" name="again" value="yes" formnovalidate>${t('Send another code')}</button>`,
  });
}
