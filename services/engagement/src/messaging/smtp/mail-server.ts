import { Readable } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { HandoverResult, OutgoingMail } from '../domain/outgoing-mail.ts';

export interface MailServer {
  /**
   * Hands a mail over to the mail server. The server accepts a mail only after the end of the mail was sent. The end is
   * sent only once `mayEnd` resolves to true; `mayEnd` may take at most two minutes. Where `mayEnd` resolves to false,
   * the connection is dropped, the server has no mail, and the result is null.
   * Never rejects, since errors are in the result; `mayEnd` must not reject either. Each mail that is being handed over
   * uses its own connection, so the caller decides how many connections there are.
   */
  send(mail: OutgoingMail, mayEnd: () => Promise<boolean>): Promise<HandoverResult | null>;
  close(): void;
}

type HeldMail = SendMailOptions & { readonly conversation: Conversation };

interface MailServerOptions {
  readonly url: string;
  readonly from: string;
}

/** Returns the mail server at `url`. Connections are opened when needed and kept open for the next mails. */
export function connectMailServer(options: MailServerOptions): MailServer {
  const lines: Line[] = [];
  // The most recently used connection is taken first, so that connections that are not needed any more become idle and
  // are closed.
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

/** One connection to the mail server. It is opened when there is a mail for it, and opened again after it was lost. */
function openLine(url: string) {
  const line = createTransport({
    url,
    pool: true,
    maxConnections: 1,
    maxMessages: 500,
    // Nodemailer must not retry: an interrupted mail is retried by its delivery, which counts the attempts.
    maxRequeues: 0,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    dnsTimeout: 5000,
    // This is longer than a mail is held back while the mail before it can't be saved, and longer than a process may be
    // halted. A process that continues after a halt must still read the answer that came meanwhile.
    socketTimeout: 120_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  line.use('stream', (mail, done) => {
    const { conversation } = mail.data as HeldMail;
    // This is called once the server has accepted the connection.
    mail.message.processFunc((content) => conversation.begin(content));
    done();
  });
  return line;
}

function toHeldMail(mail: OutgoingMail, from: string, conversation: Conversation): HeldMail {
  return {
    conversation,
    from,
    // The address is an object, so that nodemailer never parses it as a list.
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

/** How far the handover of one mail has come. `withheld`: the end of the mail is not sent. */
type Stage = 'connecting' | 'begun' | 'ended' | 'withheld';

interface Conversation {
  readonly stage: () => Stage;
  readonly begin: (content: Readable) => Readable;
}

function beginConversation(mayEnd: () => Promise<boolean>): Conversation {
  let stage: Stage = 'connecting';

  /**
   * Yields the content of the mail, but ends only after `mayEnd` has resolved. The content is read, and `mayEnd`
   * called, once the server waits for the content.
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
  /** The status code of the server's answer; missing where there was no answer. */
  readonly responseCode?: number;
  readonly response?: string;
  /** The command that the server answered. */
  readonly command?: string;
}

const commandsAboutTheMail = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
const noSuchMailbox = new Set([550, 551, 553, 556]);
// Status 5.7.x: the mailbox exists, but the server refuses the sender.
const refusedByPolicy = /^5\d\d[ -]5\.7\./;

function interpret(error: SmtpError, stage: Exclude<Stage, 'withheld'>): Omit<HandoverResult, 'milliseconds'> {
  const answer = shorten(error.response ?? error.message);
  const code = error.responseCode ?? 0;
  // Nodemailer refused the mail before it sent anything: the mail is too large for the server, or the address is not
  // valid.
  if (code === 0 && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE'))
    return { outcome: 'refused', answer, bounced: false };
  // With 421 the server closes the connection, so the connection is lost. But where 421 answers the whole mail, it is
  // an answer about the mail.
  const isBrokenOff = code === 421 && stage !== 'ended';
  const isAboutTheMail = code >= 400 && !isBrokenOff && commandsAboutTheMail.has(error.command ?? '');
  if (!isAboutTheMail) return { outcome: brokenOff[stage], answer, bounced: false };
  if (code < 500) return { outcome: 'deferred', answer, bounced: false };
  const bounced = error.command === 'RCPT TO' && noSuchMailbox.has(code) && !refusedByPolicy.test(answer);
  return { outcome: 'refused', answer, bounced };
}

/** The outcome where the connection was lost without an answer about the mail, by stage. */
const brokenOff = {
  connecting: 'unreachable',
  begun: 'interrupted',
  ended: 'in_doubt',
} as const;

function shorten(answer: string): string {
  return answer.replaceAll(/\s+/g, ' ').slice(0, 300);
}
