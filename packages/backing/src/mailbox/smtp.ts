import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { reasonOf } from '../error.ts';
import type { MailStore } from './mail-store.ts';
import { toMail } from './mail.ts';

const maximumBytes = 10 * 1024 * 1024;

/** An SMTP server that accepts every mail without a password and forwards none. It does not listen yet. */
export function createSmtpServer(mails: MailStore, nextId: () => string, now: () => Date): SMTPServer {
  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const raw = await buffer(stream);
    if (stream.sizeExceeded) throw Object.assign(new Error('The mail is larger than 10 MB'), { responseCode: 552 });
    const parsed = await PostalMime.parse(raw);
    mails.add(toMail(parsed, { id: nextId(), at: now(), size: raw.byteLength, envelope: envelopeOf(session) }));
  }
  return new SMTPServer({
    banner: 'Development mailbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maximumBytes,
    closeTimeout: 500,
    logger: false,
    onData(stream, session, respond) {
      receive(stream, session).then(
        () => respond(null),
        (error: unknown) => respond(error instanceof Error ? error : new Error(reasonOf(error))),
      );
    },
  });
}

function envelopeOf({ envelope }: SMTPServerSession): { from: string; to: string[] } {
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map(({ address }) => address),
  };
}
