import type { Mail, MailAddress } from './mail.ts';

type Matches = (mail: Mail) => boolean;

const fields: Record<string, (mail: Mail) => string> = {
  to: (mail) => addressText(mail.To),
  cc: (mail) => addressText(mail.Cc),
  bcc: (mail) => addressText(mail.Bcc),
  from: (mail) => addressText([mail.From]),
  'reply-to': (mail) => addressText(mail.ReplyTo),
  addressed: (mail) => addressText([...mail.To, ...mail.Cc, ...mail.Bcc, ...mail.ReplyTo, mail.From]),
  subject: (mail) => mail.Subject,
  'message-id': (mail) => mail.MessageID,
};

/**
 * Parses a search such as `to:"ann@example.com" subject:code welcome`. A mail matches if every term is found, ignoring
 * case. A term without a known field is searched everywhere. `-` or `!` before a term means that the term must not be
 * found.
 */
export function parseSearch(query: string): Matches {
  const terms = [...query.matchAll(/([-!]?)(?:([a-z-]+):)?(?:"([^"]*)"|(\S+))/gi)].map(matcherOf);
  return (mail) => terms.every((matches) => matches(mail));
}

function matcherOf([whole, negation, name, quoted, unquoted]: RegExpMatchArray): Matches {
  const field = name === undefined ? undefined : fields[name.toLowerCase()];
  const text = (field || name === undefined ? (quoted ?? unquoted ?? '') : (whole ?? '')).toLowerCase();
  const read = field ?? everything;
  return (mail) => read(mail).toLowerCase().includes(text) !== Boolean(negation);
}

function everything(mail: Mail): string {
  return [mail.Subject, mail.Text, mail.HTML, fields['addressed']?.(mail), mail.MessageID].join('\n');
}

function addressText(addresses: MailAddress[]): string {
  return addresses.map(({ Name, Address }) => `${Name} <${Address}>`).join(', ');
}
