import pLimit from 'p-limit';
import type { Lane } from '../domain/lane.ts';

/**
 * The turn of one mail: it says when the mail may take the next step. Call the methods in this order. Leave out
 * `toMark` where the delivery already stores that the end of the mail is about to be sent.
 */
export interface HandoverTurn {
  /** Resolves when the mail may use a connection. */
  toConnect(): Promise<void>;
  /**
   * Resolves when the delivery may store that the end of the mail is about to be sent. This happens while the mail
   * before it is being saved, so that one database command can do both.
   */
  toMark(): Promise<void>;
  /**
   * Resolves when the end of the mail may be sent to the mail server. The server can't accept a mail before its end.
   */
  toEnd(): Promise<void>;
  /** To be called when the mail server has answered. */
  answered(): void;
  /** To be called when the attempt is saved, or when there was no attempt. Ends the turn, also without an answer. */
  saved(): void;
}

export interface HandoverTurns {
  next(lane: Lane): HandoverTurn;
  /**
   * Returns how many mails of the lane are overdue. The end of an overdue mail was sent, but the answer is late; such a
   * mail does not hold up other mails.
   */
  overdue(lane: Lane): number;
}

export interface HandoverLimits {
  /** How many connections are used at once, not counting those of overdue mails. */
  readonly connections: number;
  /**
   * How many mails of each lane the mail server may have accepted before this is saved, not counting overdue mails.
   * This many mails can go out twice where the process is killed.
   */
  readonly maxUnsaved: number;
  /**
   * After how many milliseconds without an answer a mail is overdue; 1000 by default. Longer where the mail server is
   * slow with every mail.
   */
  readonly answerWithinMs?: number | undefined;
}

/** How many mails can be overdue, for each connection. Most mail servers would not allow more connections. */
const overduePerConnection: Readonly<Record<Lane, number>> = { transactional: 4, announcement: 1 };
/** Where the mail server is slow with every mail, a mail is overdue after at most this many times `answerWithinMs`. */
const slowestPatience = 10;

/**
 * Returns how many connections announcements may use. Where there are several connections, one is always left for other
 * mail.
 */
export const forAnnouncements = (connections: number): number => Math.max(1, connections - 1);

/** The lanes share only the connections, so that no mail waits for the answer to a mail of the other lane. */
export function createHandoverTurns(limits: HandoverLimits): HandoverTurns {
  const places = createPlaces(limits.connections);
  const connectedAnnouncements = pLimit(forAnnouncements(limits.connections));
  const lanes = {
    transactional: createLane('transactional', limits, (left) => places.take(left, 'first')),
    announcement: createLane('announcement', limits, async (left) => {
      await place(connectedAnnouncements, left);
      await places.take(left, 'last');
    }),
  };
  return { next: (lane) => lanes[lane].next(), overdue: (lane) => lanes[lane].overdue() };
}

function createLane(
  lane: Lane,
  { connections, maxUnsaved, answerWithinMs = 1000 }: HandoverLimits,
  takeConnection: (left: Promise<void>) => Promise<void>,
): { next(): HandoverTurn; overdue(): number } {
  const marked = pLimit(maxUnsaved);
  const ended = pLimit(maxUnsaved);
  const overdue = pLimit(connections * overduePerConnection[lane]);
  let patienceMs = answerWithinMs;

  // Where the server is slow with every mail, this waits longer for an answer, so that few mails are unsaved. Where the
  // server is slow only with single mails, it does not wait longer.
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
      toConnect: () => takeConnection(answer.promise),
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

/** Resolves once there is a free place. The place is free again when `left` resolves. */
function place(limit: ReturnType<typeof pLimit>, left: Promise<void>): Promise<void> {
  return new Promise((taken) => {
    void limit(() => {
      taken();
      return left;
    });
  });
}

interface Places {
  /**
   * Resolves once there is a free place. The place is free again when `left` resolves. Callers with the rank `first`
   * come before those with `last`.
   */
  take(left: Promise<void>, rank: 'first' | 'last'): Promise<void>;
}

function createPlaces(count: number): Places {
  const waiting: Record<'first' | 'last', (() => void)[]> = { first: [], last: [] };
  let free = count;

  function giveBack(): void {
    const next = waiting.first.shift() ?? waiting.last.shift();
    if (next) next();
    else free += 1;
  }

  return {
    async take(left, rank) {
      if (free > 0) free -= 1;
      else await new Promise<void>((taken) => waiting[rank].push(taken));
      void left.then(giveBack);
    },
  };
}
