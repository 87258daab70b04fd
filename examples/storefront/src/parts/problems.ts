import { isProblem, type ApiError } from '@storefront/client';
import type { Language, Sentence, Translate } from '../words/translate.ts';

/** What shoppers read about errors that they meet. For others there is the sentence of the API, which is English. */
const sentences: Readonly<Record<string, Sentence>> = {
  validation_failed: 'Please look at the marked fields.',
  invalid_credentials: 'Email or password is wrong.',
  email_not_verified: 'This email is not confirmed yet: enter the code of our mail.',
  account_pending_approval: 'Your application is being looked at. We will write to you.',
  account_rejected: 'Your application was not accepted. You may apply again.',
  account_suspended: 'This account is suspended. Please contact us.',
  too_many_attempts: 'Too many attempts. Please wait a moment, then try again.',
  too_many_codes: 'Too many attempts. Please wait a moment, then try again.',
  rate_limited: 'Too many attempts. Please wait a moment, then try again.',
  invalid_code: 'This code is not valid, or it has expired.',
  invalid_factor: 'This code or password is not right.',
  invalid_passkey: 'This passkey is not known here. Log in with your password.',
  invalid_mfa_token: 'The login took too long. Please begin again.',
  out_of_stock: 'Something of your cart is not there in this quantity any more.',
  price_changed:
    'A price, a discount, the shipping or the tax has changed. Please look at the new total, then order again.',
  discount_changed:
    'A price, a discount, the shipping or the tax has changed. Please look at the new total, then order again.',
  shipping_not_possible: 'We can not ship your cart there this way. Please choose another way or country.',
  credit_exceeded: 'Your credit is not enough for this order. Please pay by card, or pay open invoices first.',
  credit_on_hold: 'Your credit is on hold. Please pay by card, or contact us.',
  payment_not_possible: 'Paying is not possible at the moment. Please try again later.',
  too_many_unpaid_orders: 'You have several orders that are not paid. Pay or cancel one of them first.',
  too_many_unknown_codes: 'Too many attempts. Please wait a moment, then try again.',
  recipient_without_address: 'This recipient has no address. Please add it first.',
  cart_empty: 'Your cart is empty',
  cart_frozen: 'Your cart belongs to an order that is not paid yet.',
  invalid_transition: 'This is not possible any more.',
  invalid_revert_token: 'This link is not valid any more.',
  reauthentication_required: 'Please prove once more that it is you.',
  network_error: 'The shop can not be reached at the moment. Please try again.',
  timed_out: 'The shop can not be reached at the moment. Please try again.',
};

/** What is wrong with a field. In English the words of the API say more. */
const fieldSentences: Readonly<Record<string, Sentence>> = {
  too_small: 'This is too short.',
  too_big: 'This is too long.',
  invalid_phone: 'Please begin with + and the number of the country.',
  email_unchanged: 'This is your email already.',
  password_wrong: 'This password is not right.',
  password_too_short: 'This password is too short.',
  password_too_common: 'This password is easy to guess.',
  password_contains_personal: 'The password must not contain your name or your email.',
};

export function fieldText(
  { code, message }: ApiError<string>['errors'][number],
  typed: string | undefined,
  t: Translate,
  language: Language,
): string {
  if (!typed) return t('Please fill this in.');
  return language === 'en' ? message : t(fieldSentences[code] ?? 'Please check this.');
}

/** The problem that the page of a form shows. Throws what is not about the form: a login that is over, an API in trouble. */
export function problemOfForm(error: unknown): ApiError<string> {
  if (!isProblem(error)) throw error;
  const isLoginOver = error.status === 401 && !(error.code in sentences);
  if (isLoginOver || error.status >= 500) throw error;
  return error;
}

export function problemText(error: ApiError<string>, t: Translate): string {
  const sentence = sentences[error.code];
  return sentence ? t(sentence) : error.message;
}
