import pLimit from 'p-limit';
import type { Lane } from '../domain/lane.ts';

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
  next(lane: Lane): HandoverTurn;
  /**
   * How many mails of the lane are overdue: they have their end, have waited long for the answer, and hold up no
   * others.
   */
  overdue(lane: Lane): number;
}

export interface HandoverLimits {
  /** How many connections are used at once, besides those of overdue mails. */
  readonly connections: number;
  /**
   * How many mails of each lane the mail server may have accepted without that being saved, besides overdue ones. As
   * many go out twice where the process is killed.
   */
  readonly maxUnsaved: number;
  /** After how many milliseconds without an answer a mail is overdue, at least; 1 s where nothing is given. */
  readonly answerWithinMs?: number | undefined;
}

/** How many mails can be overdue for each connection. More would be too many connections for most mail servers. */
const overduePerConnection: Readonly<Record<Lane, number>> = { transactional: 4, announcement: 1 };
/** Where the mail server is slow with every mail, none is overdue before ten times as long. */
const slowestPatience = 10;

/** How many connections announcements may have: one is always left for other mail, where there are several. */
export const forAnnouncements = (connections: number): number => Math.max(1, connections - 1);

/** The lanes share the connections and nothing else, so that no mail waits for the answer to one of the other lane. */
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

  // A server that is slow with every mail is waited for, so that few are unsaved; one that is slow with single mails is
  // not.
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

/** Resolves once there is a place, which is given back when `left` resolves. */
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
   * Resolves once there is a place, which is given back when `left` resolves. Those who ask as `first` are served
   * first.
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
