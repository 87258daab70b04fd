import { setTimeout as wait } from 'node:timers/promises';

/** A mail in the mailbox. */
export interface ArrivedMail {
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly arrivedAt: number;
}

/** Reads new mails from the mailbox continuously. */
export interface MailReader {
  /** The mails to this address, newest first. */
  to(email: string): readonly ArrivedMail[];
  all(): readonly ArrivedMail[];
  /** Reads the mails that have arrived since the last read. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

interface Summary {
  readonly ID: string;
  readonly MessageID: string;
  readonly To: readonly { readonly Address: string }[];
  readonly Subject: string;
  readonly Created: string;
}

const pageSize = 50;
const intervalMs = 250;

export function readMails(mailbox: string): MailReader {
  const arrived: ArrivedMail[] = [];
  const byEmail = new Map<string, ArrivedMail[]>();
  const stopping = new AbortController();
  let newest: string | undefined;

  async function catchUp(): Promise<void> {
    // A map by id: mails that arrive between two requests shift the pages, so that the next page repeats some mails.
    const fresh = new Map<string, Summary>();
    for (let start = 0; ; start += pageSize) {
      const response = await fetch(`${mailbox}/api/v1/messages?start=${start}&limit=${pageSize}`);
      const { messages } = (await response.json()) as { messages: Summary[] };
      const known = messages.findIndex(({ ID }) => ID === newest);
      for (const message of known === -1 ? messages : messages.slice(0, known)) fresh.set(message.ID, message);
      if (known !== -1 || messages.length < pageSize) break;
    }
    const [latest] = fresh.keys();
    newest = latest ?? newest;
    for (const { MessageID, To, Subject, Created } of [...fresh.values()].toReversed()) {
      const mail = {
        messageId: MessageID.replace(/^<|>$/g, ''),
        to: To[0]?.Address ?? '',
        subject: Subject,
        arrivedAt: Date.parse(Created),
      };
      arrived.push(mail);
      byEmail.set(mail.to, [mail, ...(byEmail.get(mail.to) ?? [])]);
    }
  }

  // Reads run one at a time, so that no mail is counted twice.
  let reading: Promise<void> = Promise.resolve();
  const readNext = () => (reading = reading.then(catchUp));
  const reader = (async () => {
    while (!stopping.signal.aborted) {
      await readNext();
      await wait(intervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  return {
    to: (email) => byEmail.get(email) ?? [],
    all: () => arrived,
    catchUp: readNext,
    async stop() {
      stopping.abort();
      await reader;
    },
  };
}
