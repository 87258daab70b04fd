import { setTimeout as wait } from 'node:timers/promises';

/** A mail as it arrived. */
export interface Arrived {
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly arrivedAt: number;
}

/** Keeps up with the mailbox. */
export interface MailReader {
  /** The newest first. */
  to(email: string): readonly Arrived[];
  all(): readonly Arrived[];
  /** Reads what has come since. */
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

const page = 50;
const everyMs = 250;

export function readMails(mailbox: string): MailReader {
  const arrived: Arrived[] = [];
  const byEmail = new Map<string, Arrived[]>();
  const stopping = new AbortController();
  let newest: string | undefined;

  async function catchUp(): Promise<void> {
    // By their ids: what arrives between two pages moves the others on, so that the next page has some of them again.
    const fresh = new Map<string, Summary>();
    for (let start = 0; ; start += page) {
      const answer = await fetch(`${mailbox}/api/v1/messages?start=${start}&limit=${page}`);
      const { messages } = (await answer.json()) as { messages: Summary[] };
      const known = messages.findIndex(({ ID }) => ID === newest);
      for (const message of known === -1 ? messages : messages.slice(0, known)) fresh.set(message.ID, message);
      if (known !== -1 || messages.length < page) break;
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

  // One at a time, so that none is counted twice.
  let reading: Promise<void> = Promise.resolve();
  const readNext = () => (reading = reading.then(catchUp));
  const reader = (async () => {
    while (!stopping.signal.aborted) {
      await readNext();
      await wait(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
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
