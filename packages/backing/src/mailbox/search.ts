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
 * Reads a search such as `to:"ann@example.com" subject:code welcome`: every part must be found, in any case of letters;
 * words without a known field are looked for everywhere; `-` or `!` before a part turns it round.
 */
export function parseSearch(query: string): Matches {
  const parts = [...query.matchAll(/([-!]?)(?:([a-z-]+):)?(?:"([^"]*)"|(\S+))/gi)].map(toMatches);
  return (mail) => parts.every((matches) => matches(mail));
}

function toMatches([whole, turned, name, quoted, bare]: RegExpMatchArray): Matches {
  const field = name === undefined ? undefined : fields[name.toLowerCase()];
  const wanted = (field || name === undefined ? (quoted ?? bare ?? '') : (whole ?? '')).toLowerCase();
  const read = field ?? everything;
  return (mail) => read(mail).toLowerCase().includes(wanted) !== Boolean(turned);
}

function everything(mail: Mail): string {
  return [mail.Subject, mail.Text, mail.HTML, fields['addressed']?.(mail), mail.MessageID].join('\n');
}

function addressText(addresses: MailAddress[]): string {
  return addresses.map(({ Name, Address }) => `${Name} <${Address}>`).join(', ');
}
