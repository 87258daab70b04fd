import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { reasonOf } from '../error.ts';
import type { ReceivedMail } from './mail-files.ts';

const maximumBytes = 10 * 1024 * 1024;

/**
 * Creates an SMTP server that accepts every mail without a password and forwards none. The sender gets its answer after
 * `keep`. The server does not listen yet. If `breaksOff` is true for a recipient, the server receives the whole mail, then
 * closes the connection without an answer and does not keep the mail.
 */
export function createSmtpServer(
  keep: (mail: ReceivedMail) => Promise<void>,
  nextId: () => string,
  now: () => Date,
  breaksOff: (recipient: string) => boolean,
): SMTPServer {
  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const raw = await buffer(stream);
    if (stream.sizeExceeded) throw Object.assign(new Error('The mail is larger than 10 MB'), { responseCode: 552 });
    const arrival = { id: nextId(), at: now(), size: raw.byteLength, envelope: envelopeOf(session) };
    await keep({ arrival, raw });
  }
  const server: SMTPServer = new SMTPServer({
    banner: 'Development mailbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maximumBytes,
    closeTimeout: 500,
    logger: false,
    onData(stream, session, respond) {
      if (session.envelope.rcptTo.some(({ address }) => breaksOff(address))) {
        stream.resume().once('end', () => closeConnection(server, session));
        return;
      }
      receive(stream, session).then(
        () => respond(null),
        (error: unknown) => respond(error instanceof Error ? error : new Error(reasonOf(error))),
      );
    },
  });
  return server;
}

function closeConnection({ connections }: SMTPServer, session: SMTPServerSession): void {
  for (const connection of connections as Set<{ session: SMTPServerSession; close(): void }>)
    if (connection.session === session) connection.close();
}

function envelopeOf({ envelope }: SMTPServerSession): { from: string; to: string[] } {
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map(({ address }) => address),
  };
}
