import type { Address, Email } from 'postal-mime';

/** The fields in this file have the same names and types as Mailpit's, so that programs work with both. */
export interface MailAddress {
  Name: string;
  Address: string;
}

interface MailAttachment {
  /** The number of the attachment in the mail, from 1. */
  PartID: string;
  FileName: string;
  ContentType: string;
  ContentID: string;
  Size: number;
}

/** One mail in a list. */
export interface MailSummary {
  ID: string;
  MessageID: string;
  Read: boolean;
  From: MailAddress;
  To: MailAddress[];
  Cc: MailAddress[];
  Bcc: MailAddress[];
  ReplyTo: MailAddress[];
  Subject: string;
  /** The time of arrival, in RFC 3339. */
  Created: string;
  Tags: string[];
  /** The size of the received mail in bytes. */
  Size: number;
  /** The number of attachments. */
  Attachments: number;
  Snippet: string;
}

/** One mail with its contents. */
export interface Mail extends Omit<MailSummary, 'Created' | 'Attachments' | 'Snippet' | 'Read'> {
  ReturnPath: string;
  /** The date that the sender gave, in RFC 3339. */
  Date: string;
  Text: string;
  HTML: string;
  Inline: MailAttachment[];
  Attachments: MailAttachment[];
}

export interface Arrival {
  id: string;
  at: Date;
  size: number;
  /** The addresses in the SMTP commands, which may differ from those in the mail's headers. */
  envelope: { from: string; to: string[] };
}

const snippetLength = 250;

/** Converts a parsed mail. Attachments are only described, not kept: most mails are never opened. */
export function toMail(parsed: Email, arrival: Arrival): { summary: MailSummary; mail: Mail } {
  const inHeaders = [...addresses(parsed.to), ...addresses(parsed.cc)];
  const blind = arrival.envelope.to.filter(
    (address) => !inHeaders.some((recipient) => recipient.Address.toLowerCase() === address.toLowerCase()),
  );
  const attachments = parsed.attachments.map((attachment, at) => ({
    inline: attachment.disposition === 'inline',
    described: {
      PartID: String(at + 1),
      FileName: attachment.filename ?? '',
      ContentType: attachment.mimeType,
      ContentID: (attachment.contentId ?? '').replace(/^<|>$/g, ''),
      Size: typeof attachment.content === 'string' ? attachment.content.length : attachment.content.byteLength,
    },
  }));
  const common = {
    ID: arrival.id,
    MessageID: (parsed.messageId ?? '').replace(/^<|>$/g, ''),
    From: addresses(parsed.from && [parsed.from])[0] ?? { Name: '', Address: arrival.envelope.from },
    To: addresses(parsed.to),
    Cc: addresses(parsed.cc),
    // A recipient who is in no header got a blind copy.
    Bcc: blind.map((address) => ({ Name: '', Address: address })),
    ReplyTo: addresses(parsed.replyTo),
    Subject: parsed.subject ?? '',
    Tags: [],
    Size: arrival.size,
  };
  const text = parsed.text ?? '';
  const html = parsed.html ?? '';
  const created = arrival.at.toISOString();
  const inline = attachments.filter((each) => each.inline).map((each) => each.described);
  const attached = attachments.filter((each) => !each.inline).map((each) => each.described);
  return {
    summary: {
      ...common,
      Read: false,
      Created: created,
      Attachments: attached.length,
      Snippet: snippet(text === '' ? html.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : text),
    },
    mail: {
      ...common,
      ReturnPath: arrival.envelope.from,
      Date: dateOf(parsed.date) ?? created,
      Text: text,
      HTML: html,
      Inline: inline,
      Attachments: attached,
    },
  };
}

function addresses(list: Address[] | undefined | ''): MailAddress[] {
  return (list || []).flatMap((entry) =>
    (entry.group ?? [entry]).map((mailbox) => ({ Name: mailbox.name, Address: mailbox.address ?? '' })),
  );
}

function snippet(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, snippetLength);
}

function dateOf(header: string | undefined): string | undefined {
  const date = new Date(header ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
