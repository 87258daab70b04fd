import type { MailContent, Shop } from '../layout.ts';
import type { PlainCode } from './codes.ts';
import { greeting, paragraph } from './phrases.ts';
import { wayBack } from './way-back.ts';

export function emailChanged(data: { firstName: string }, shop: Shop): MailContent {
  return {
    subject: 'Your email address was changed',
    blocks: [
      greeting(data.firstName),
      paragraph(`this is the email address of your account at ${shop.name} from now on.`),
      paragraph('All other devices have been logged out. The former address got a mail about it too.'),
    ],
  };
}

/** The mail to the former address. It does not name the new address, which its reader need not know. */
export function emailChangeNotice({ firstName }: { firstName: string }, code: PlainCode, shop: Shop): MailContent {
  return {
    subject: 'Your account has another email address now',
    blocks: [
      greeting(firstName),
      paragraph(`the email address of your account at ${shop.name} was changed; it was this one until now.`),
      ...wayBack(code, shop),
    ],
  };
}

export function emailChangeAttempted(_data: unknown, shop: Shop): MailContent {
  return {
    subject: 'You already have an account',
    blocks: [
      paragraph('Hello,'),
      paragraph(`somebody, perhaps you, tried to use this address for another account at ${shop.name}.`),
      paragraph('There is an account with it already, so nothing was changed.'),
      { kind: 'link', label: 'Log in', url: `${shop.url}/login` },
      paragraph('If it was not you, there is nothing to do.'),
    ],
  };
}
