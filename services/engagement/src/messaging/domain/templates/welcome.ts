import type { MailContent, Shop } from '../layout.ts';
import { greeting, paragraph } from './phrases.ts';

export function welcome(data: { firstName: string }, shop: Shop): MailContent {
  return {
    subject: `Welcome to ${shop.name}`,
    blocks: [
      greeting(data.firstName),
      paragraph('your email address is confirmed and your account is ready. It is good to have you here.'),
      { kind: 'link', label: `Go to ${shop.name}`, url: shop.url },
    ],
  };
}
