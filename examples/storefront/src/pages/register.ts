import { homeCountry } from '../countries.ts';
import { html, type App, type Ctx } from '../context.ts';
import { newPassword } from '../parts/fields.ts';
import { formOf, formPage, narrowPage, type Form, type Values } from '../parts/form.ts';
import { leadTo, notePage } from '../parts/layout.ts';
import { loggedIn, wayTo } from './login.ts';

/** Accounts, retail and trade: a form, and then the code that the API sends by mail. */
export function registerPages(app: App): void {
  formPage(app, '/register', registerForm, async (c, values) => {
    const { registrationId } = await c.var.api.auth.register({ body: personOf(values) });
    return codeForm(c, formOf(c, { ...values, registrationId }));
  });

  formPage(app, '/trade', tradeForm, async (c, values) => {
    const { phone = '', businessName = '', businessAddress = '' } = values;
    const { country, vatNumber, companyRegistration, referralCode } = values;
    const more = { country, vatNumber, companyRegistration, referralCode };
    const body = { ...personOf(values), phone, businessName, businessAddress, ...more };
    const { registrationId } = await c.var.api.auth.registerTrade({ body });
    return codeForm(c, formOf(c, { registrationId }));
  });

  // On another device, email and password prove whose registration it is.
  formPage(app, '/register/verify', codeForm, async (c, values) => {
    const { api, t } = c.var;
    const { registrationId, email, password, code = '', again } = values;
    const secret = registrationId ? { registrationId } : { email, password };
    if (again) {
      await api.try.auth.resendCode({ body: secret });
      return codeForm(c, formOf(c, { ...values, isSent: 'yes' }));
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

function registerForm(c: Ctx, form: Form): Promise<Response> {
  return narrowPage(c, '/register', form, {
    title: 'Make an account',
    fields: html`${form.hidden('next', 'typed')} ${form.fields(['firstName', 'lastName'], 'email')}
    ${form.field('password', newPassword)}`,
    button: 'Make the account',
    below: html`<p>${wayTo(c, form, '/login', 'I have an account')}</p>`,
  });
}

function tradeForm(c: Ctx, typed: Form): Promise<Response> {
  const form = typed.startingWith({ country: homeCountry });
  return narrowPage(c, '/trade', form, {
    title: 'Trade account',
    text: c.var.t(
      'Trade prices, prices by quantity, and payment by invoice. We look at each application within two working days.',
    ),
    fields: html`
      ${form.fields('businessName', 'businessAddress', 'country', 'vatNumber', 'companyRegistration')}
      ${form.fields(['firstName', 'lastName'])} ${form.field('phone', { optional: false })} ${form.field('email')}
      ${form.field('password', newPassword)} ${form.field('referralCode')}
    `,
    button: 'Apply',
  });
}

function codeForm(c: Ctx, form: Form): Promise<Response> {
  const { t } = c.var;
  const { registrationId, isSent } = form.values;
  return narrowPage(c, '/register/verify', form, {
    title: 'Confirm your email',
    text: t('We have sent you a code of 6 digits. It is valid for 10 minutes.'),
    fields: html`
      ${isSent && html`<p class="notice" role="status">${t('Another code is on its way.')}</p>`}
      ${form.hidden('registrationId', 'next', 'typed')}
      ${!registrationId && html`${form.field('email', { autocomplete: 'username' })} ${form.field('password')}`}
      ${form.field('code')}
    `,
    button: 'Confirm',
    below: html`<button class="link" name="again" value="yes" formnovalidate>${t('Send another code')}</button>`,
  });
}
