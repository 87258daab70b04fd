import pLimit from 'p-limit';

/** The turn of one mail. To be passed through in this order; one that is marked already leaves out `toMark`. */
export interface HandoverTurn {
  /** Resolves when there is a connection for it. */
  toConnect(): Promise<void>;
  /** Resolves when its end may be marked: while the mail before it is being saved, so that both are one command. */
  toMark(): Promise<void>;
  /** Resolves when it may get its end. */
  toEnd(): Promise<void>;
  /** The mail server has answered. */
  answered(): void;
  /** The attempt is saved, or there was none. Ends the turn, also without an answer. */
  saved(): void;
}

export interface HandoverTurns {
  next(): HandoverTurn;
  /** How many mails are overdue: they have their end, have waited long for the answer, and hold up no others. */
  overdue(): number;
}

export interface HandoverLimits {
  /** How many connections are used at once, besides those of overdue mails. */
  readonly connections: number;
  /**
   * How many mails the mail server may have accepted without that being saved, besides overdue ones. As many go out twice
   * where the process is killed.
   */
  readonly maxUnsaved: number;
  /** After how many milliseconds without an answer a mail is overdue, at least; 1 s where nothing is given. */
  readonly answerWithinMs?: number | undefined;
}

/** How many mails can be overdue for each connection. More would be too many connections for most mail servers. */
const overduePerConnection = 4;
/** Where the mail server is slow with every mail, none is overdue before ten times as long. */
const slowestPatience = 10;

export function createHandoverTurns({ connections, maxUnsaved, answerWithinMs = 1000 }: HandoverLimits): HandoverTurns {
  const connected = pLimit(connections);
  const marked = pLimit(maxUnsaved);
  const ended = pLimit(maxUnsaved);
  const overdue = pLimit(connections * overduePerConnection);
  let patienceMs = answerWithinMs;

  // A server that is slow with every mail is waited for, so that few are unsaved; one that is slow with single mails is not.
  function learn(tookMs: number): void {
    patienceMs = Math.min(Math.max(2 * tookMs, answerWithinMs), slowestPatience * answerWithinMs);
  }

  function next(): HandoverTurn {
    const answer = Promise.withResolvers<void>();
    const save = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    let endedAt: number | null = null;
    let isAnswered = false;
    let timer: NodeJS.Timeout | undefined;

    async function becomeOverdue(): Promise<void> {
      await place(overdue, over.promise);
      if (isAnswered) return;
      answer.resolve();
      save.resolve();
    }

    return {
      toConnect: () => place(connected, answer.promise),
      toMark: () => place(marked, answer.promise),
      async toEnd() {
        await place(ended, save.promise);
        endedAt = performance.now();
        timer = setTimeout(() => void becomeOverdue(), patienceMs).unref();
      },
      answered() {
        clearTimeout(timer);
        isAnswered = true;
        if (endedAt !== null) learn(performance.now() - endedAt);
        answer.resolve();
      },
      saved() {
        clearTimeout(timer);
        for (const { resolve } of [answer, save, over]) resolve();
      },
    };
  }

  return { next, overdue: () => overdue.activeCount };
}

/** Resolves once there is a place, which is given back when `left` resolves. */
function place(limit: ReturnType<typeof pLimit>, left: Promise<void>): Promise<void> {
  return new Promise((taken) => {
    void limit(() => {
      taken();
      return left;
    });
  });
}
