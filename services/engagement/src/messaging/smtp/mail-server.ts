import { Readable } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { HandoverResult, OutgoingMail } from '../domain/outgoing-mail.ts';

export interface MailServer {
  /**
   * Hands a mail over. The server can't accept it before its end, which is held back until `mayEnd` resolves, for two
   * minutes at most. Where that is false, the connection is dropped and the server has no mail: the result is null.
   * Never rejects, as `mayEnd` must not: what went wrong is in the result. Each mail that is being handed over has a
   * connection of its own, so the caller decides how many there are.
   */
  send(mail: OutgoingMail, mayEnd: () => Promise<boolean>): Promise<HandoverResult | null>;
  close(): void;
}

type HeldMail = SendMailOptions & { readonly conversation: Conversation };

interface MailServerOptions {
  readonly url: string;
  readonly from: string;
}

/** Connects to the mail server at `url`. Connections are kept open for the next mails. */
export function connectMailServer(options: MailServerOptions): MailServer {
  const lines: Line[] = [];
  // The one that was used last is taken first, so that what is not needed any more becomes idle and is closed.
  const free: Line[] = [];

  function open(): Line {
    const line = openLine(options.url);
    lines.push(line);
    return line;
  }

  async function handOver(
    line: Line,
    mail: OutgoingMail,
    mayEnd: () => Promise<boolean>,
  ): Promise<HandoverResult | null> {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    const conversation = beginConversation(mayEnd);
    try {
      const { response } = await line.sendMail(toHeldMail(mail, options.from, conversation));
      return { outcome: 'accepted', answer: shorten(response), milliseconds: elapsed(), bounced: false };
    } catch (error) {
      const stage = conversation.stage();
      return stage === 'withheld' ? null : { ...interpret(error as SmtpError, stage), milliseconds: elapsed() };
    }
  }

  return {
    async send(mail, mayEnd) {
      const line = free.pop() ?? open();
      const result = await handOver(line, mail, mayEnd);
      free.push(line);
      return result;
    },
    close() {
      for (const line of lines) line.close();
    },
  };
}

type Line = ReturnType<typeof openLine>;

/** One connection to the mail server, opened when there is a mail for it, and again when it was lost. */
function openLine(url: string) {
  const line = createTransport({
    url,
    pool: true,
    maxConnections: 1,
    maxMessages: 500,
    // A mail that was interrupted is tried again by its delivery, which counts the attempts.
    maxRequeues: 0,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    dnsTimeout: 5000,
    // Longer than a mail is held back while the one before it can't be saved, and than a process may be halted: one
    // that goes on after that must still read the answer that has come meanwhile.
    socketTimeout: 120_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  line.use('stream', (mail, done) => {
    const { conversation } = mail.data as HeldMail;
    // Called once there is a connection that the server has agreed to use.
    mail.message.processFunc((content) => conversation.begin(content));
    done();
  });
  return line;
}

function toHeldMail(mail: OutgoingMail, from: string, conversation: Conversation): HeldMail {
  return {
    conversation,
    from,
    // As an object: the address is never parsed as a list.
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.messageId}>`,
    date: mail.date,
    attachments: [...mail.attachments],
    xMailer: false,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(mail.unsubscribe?.isOneClick && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    ...(mail.unsubscribe && { list: { unsubscribe: mail.unsubscribe.url } }),
  };
}

/** How far the conversation about one mail has come; `withheld`: the mail does not get its end. */
type Stage = 'connecting' | 'begun' | 'ended' | 'withheld';

interface Conversation {
  readonly stage: () => Stage;
  readonly begin: (content: Readable) => Readable;
}

function beginConversation(mayEnd: () => Promise<boolean>): Conversation {
  let stage: Stage = 'connecting';

  /**
   * The content without its end, until `mayEnd` resolves. It is read, and `mayEnd` called, once the server waits for
   * it.
   */
  async function* heldBack(content: Readable): AsyncIterable<Buffer> {
    yield* content;
    stage = (await mayEnd()) ? 'ended' : 'withheld';
    if (stage === 'withheld') throw new Error('the mail does not get its end');
  }

  return {
    stage: () => stage,
    begin(content) {
      stage = 'begun';
      return Readable.from(heldBack(content), { objectMode: false });
    },
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  /** The status code of the server's answer, where it answered. */
  readonly responseCode?: number;
  readonly response?: string;
  /** The command that it answered. */
  readonly command?: string;
}

const commandsAboutTheMail = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
const noSuchMailbox = new Set([550, 551, 553, 556]);
// 5.7.x: the mailbox exists, and the server refuses the sender.
const refusedByPolicy = /^5\d\d[ -]5\.7\./;

function interpret(error: SmtpError, stage: Exclude<Stage, 'withheld'>): Omit<HandoverResult, 'milliseconds'> {
  const answer = shorten(error.response ?? error.message);
  const code = error.responseCode ?? 0;
  // Refused before anything was sent: too large for the server, or not an address.
  if (code === 0 && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE'))
    return { outcome: 'refused', answer, bounced: false };
  // A server that says that it closes the connection (421) has broken off, unless it answers the whole mail with that.
  const isBrokenOff = code === 421 && stage !== 'ended';
  const isAboutTheMail = code >= 400 && !isBrokenOff && commandsAboutTheMail.has(error.command ?? '');
  if (!isAboutTheMail) return { outcome: brokenOff[stage], answer, bounced: false };
  if (code < 500) return { outcome: 'deferred', answer, bounced: false };
  const bounced = error.command === 'RCPT TO' && noSuchMailbox.has(code) && !refusedByPolicy.test(answer);
  return { outcome: 'refused', answer, bounced };
}

/** What a conversation without an answer about the mail comes to. */
const brokenOff = {
  connecting: 'unreachable',
  begun: 'interrupted',
  ended: 'in_doubt',
} as const;

function shorten(answer: string): string {
  return answer.replaceAll(/\s+/g, ' ').slice(0, 300);
}
