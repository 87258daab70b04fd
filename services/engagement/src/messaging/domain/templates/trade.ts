import type { MailContent, Shop } from '../layout.ts';
import { greeting, paragraph, quotedReason } from './phrases.ts';

/** What an administrator decided about a trade account. */
export interface TradeDecision {
  readonly firstName: string;
  readonly businessName: string;
  readonly reason: string | null;
}

/** An application whose email was proved: before that its content is not mailed. */
export function tradeSubmitted({
  firstName,
  businessName,
}: Pick<TradeDecision, 'firstName' | 'businessName'>): MailContent {
  return {
    subject: 'We have received your trade application',
    blocks: [
      greeting(firstName),
      paragraph(
        `we have received the application of ${businessName} for a trade account. We look at it and write to you again.`,
      ),
    ],
  };
}

export function tradeApproved(data: TradeDecision, shop: Shop): MailContent {
  return {
    subject: 'Your trade account is approved',
    blocks: [
      greeting(data.firstName),
      paragraph(`good news: the trade account of ${data.businessName} is approved. You can log in now.`),
      ...quotedReason(data.reason),
      { kind: 'link', label: 'Log in', url: `${shop.url}/login` },
    ],
  };
}

export function tradeRejected(data: TradeDecision): MailContent {
  return {
    subject: 'Your trade application was not accepted',
    blocks: [
      greeting(data.firstName),
      paragraph(`we are sorry: we could not accept the application of ${data.businessName} for a trade account.`),
      ...quotedReason(data.reason),
      paragraph('You can apply again when this has changed.'),
    ],
  };
}

export function tradeInfoRequested(data: TradeDecision, shop: Shop): MailContent {
  return {
    subject: 'We need more information for your trade application',
    blocks: [
      greeting(data.firstName),
      paragraph(
        `we are looking at the application of ${data.businessName} and need to know more before we can decide.`,
      ),
      ...quotedReason(data.reason),
      paragraph('Please log in with your password and add what is missing.'),
      { kind: 'link', label: 'Log in', url: `${shop.url}/login` },
    ],
  };
}

export function tradeSuspended(data: TradeDecision): MailContent {
  return {
    subject: 'Your trade account is suspended',
    blocks: [
      greeting(data.firstName),
      paragraph(`the trade account of ${data.businessName} is suspended: it can't be used until this is settled.`),
      ...quotedReason(data.reason),
      paragraph('Please answer this mail if you have questions.'),
    ],
  };
}

export function tradeReinstated(data: TradeDecision, shop: Shop): MailContent {
  return {
    subject: 'Your trade account can be used again',
    blocks: [
      greeting(data.firstName),
      paragraph(`the suspension of the trade account of ${data.businessName} has ended. You can log in again.`),
      ...quotedReason(data.reason),
      { kind: 'link', label: 'Log in', url: `${shop.url}/login` },
    ],
  };
}
