import type { MailContent, Shop } from '../layout.ts';
import type { PlainCode } from './codes.ts';
import { formatTime, greeting, paragraph } from './phrases.ts';

export function emailChanged(data: { firstName: string; how: 'change' | 'revert' }, shop: Shop): MailContent {
  if (data.how === 'revert')
    return {
      subject: 'Your email address is the former one again',
      blocks: [
        greeting(data.firstName),
        paragraph('your account has this email address again, and all devices have been logged out.'),
        paragraph('The password does not work any more, since somebody else may know it. Set a new one:'),
        { kind: 'link', label: 'Set a new password', url: `${shop.url}/password/forgot` },
        paragraph('Second factors that were added since the change have been removed.'),
      ],
    };
  return {
    subject: 'Your email address was changed',
    blocks: [
      greeting(data.firstName),
      paragraph(`this is the email address of your account at ${shop.name} from now on.`),
      paragraph('All other devices have been logged out. The former address got a mail about it too.'),
    ],
  };
}

/** To the former address. The new one is not named: whoever reads this mail need not know it. */
export function emailChangeNotice(
  data: { firstName: string },
  { link, expiresAt }: PlainCode,
  shop: Shop,
): MailContent {
  return {
    subject: 'Your account has another email address now',
    blocks: [
      greeting(data.firstName),
      paragraph(`the email address of your account at ${shop.name} was changed; it was this one until now.`),
      paragraph('If this was you, there is nothing to do.'),
      paragraph('If it was not you, take your account back with this link:'),
      { kind: 'link', label: 'Put this address back', url: `${shop.url}/email/revert#token=${link ?? ''}` },
      paragraph(
        `It works once, until ${formatTime(expiresAt)}. All devices are logged out then, and you set a new password.`,
      ),
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
