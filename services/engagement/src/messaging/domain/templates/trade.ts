import type { MailBlock, MailContent, Shop } from '../layout.ts';
import { greeting, paragraph, quotedReason } from './phrases.ts';

/** The decision of staff about a trade account. */
export interface TradeDecision {
  readonly firstName: string;
  readonly businessName: string;
  readonly reason: string | null;
}

/**
 * The mail about an application whose email address is confirmed. Before that, the content of an application is not
 * mailed.
 */
export function tradeSubmitted({
  firstName,
  businessName,
}: Pick<TradeDecision, 'firstName' | 'businessName'>): MailContent {
  const sentence = `we have received the application of ${businessName} for a trade account. We look at it and write to you again.`;
  return decided({ firstName, businessName, reason: null }, 'We have received your trade application', sentence);
}

export function tradeApproved(data: TradeDecision, shop: Shop): MailContent {
  const sentence = `good news: the trade account of ${data.businessName} is approved. You can log in now.`;
  return decided(data, 'Your trade account is approved', sentence, loginLink(shop));
}

export function tradeRejected(data: TradeDecision): MailContent {
  const sentence = `we are sorry: we could not accept the application of ${data.businessName} for a trade account.`;
  const next = paragraph('You can apply again when this has changed.');
  return decided(data, 'Your trade application was not accepted', sentence, next);
}

export function tradeInfoRequested(data: TradeDecision, shop: Shop): MailContent {
  const sentence = `we are looking at the application of ${data.businessName} and need to know more before we can decide.`;
  const next = paragraph('Please log in with your password and add what is missing.');
  return decided(data, 'We need more information for your trade application', sentence, next, loginLink(shop));
}

export function tradeSuspended(data: TradeDecision): MailContent {
  const sentence = `the trade account of ${data.businessName} is suspended: it can't be used until this is settled.`;
  const next = paragraph('Please answer this mail if you have questions.');
  return decided(data, 'Your trade account is suspended', sentence, next);
}

export function tradeReinstated(data: TradeDecision, shop: Shop): MailContent {
  const sentence = `the suspension of the trade account of ${data.businessName} has ended. You can log in again.`;
  return decided(data, 'Your trade account can be used again', sentence, loginLink(shop));
}

function decided(
  { firstName, reason }: TradeDecision,
  subject: string,
  sentence: string,
  ...next: readonly MailBlock[]
): MailContent {
  return { subject, blocks: [greeting(firstName), paragraph(sentence), ...quotedReason(reason), ...next] };
}

function loginLink(shop: Shop): MailBlock {
  return { kind: 'link', label: 'Log in', url: `${shop.url}/login` };
}
