import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '../client.ts';
import { createAdmin } from '../admin.ts';
import type { MailReader } from '../mail-reader.ts';
import { randomOf } from '../random.ts';
import type { MeasuredFact } from '../report.ts';
import type { History, HistoryNeeds } from './history.ts';
import { openAccount, recordSessionsOf } from './record-session.ts';
import { recordStock } from './record-stock.ts';

const retryMs = 1000;
// One history of so many may take too long to check, and one of fewer.
const undecidedOneOf = 10;

/** Records histories until `stop`, beside whatever else uses the system. */
export function recordHistories(options: {
  seed: number;
  /** How many of each kind are recorded at once. */
  recorders: number;
  gateways: readonly string[];
  administrator: { readonly email: string; readonly password: string };
  mails: MailReader;
  readsAreExact: boolean;
}): {
  /** Ends the recording; resolves when the last history is complete. */
  stop(): Promise<void>;
  /** Checks all histories. `say` gets the calls of those that are wrong. */
  check(say: (line: string) => void): Promise<MeasuredFact[]>;
} {
  const { gateways, seed } = options;
  const histories = { stock: [] as History[], sessions: [] as History[] };
  let isStopped = false;

  function needsOf(kind: string, at: number): HistoryNeeds {
    const name = `${kind}-${seed}-${at + 1}`;
    const client = createClient(gateways, randomOf(seed, `gateways of ${name}`));
    const admin = createAdmin(client, options.administrator);
    return { ...options, name, client, admin, random: randomOf(seed, name) };
  }

  async function recordStocks(needs: HistoryNeeds): Promise<void> {
    for (let number = 1; !isStopped; number += 1) {
      const history = await recordStock(needs, number);
      if (history) histories.stock.push(history);
      else await wait(retryMs);
    }
  }

  async function recordSessions(needs: HistoryNeeds): Promise<void> {
    for (let account = 1; !isStopped; account += 1) {
      const email = await openAccount({ ...needs, name: `${needs.name}-${account}` });
      if (email) await recordSessionsOf(email, needs, { isOver: () => isStopped, into: histories.sessions });
    }
  }

  const recording = Array.from({ length: options.recorders }, (_, at) => at).flatMap((at) => {
    return [recordStocks(needsOf('stock', at)), recordSessions(needsOf('session', at))];
  });

  return {
    async stop() {
      isStopped = true;
      await Promise.all(recording);
    },
    async check(say) {
      const facts = await Promise.all(Object.entries(histories).map(([kind, all]) => judgeHistories(kind, all, say)));
      return facts.flat();
    },
  };
}

/** Checks the histories of one kind of object. `say` gets the calls of those that are wrong. */
export async function judgeHistories(
  kind: string,
  histories: readonly History[],
  say: (line: string) => void,
): Promise<MeasuredFact[]> {
  const counts = { linearizable: 0, 'not-linearizable': 0, undecided: 0 };
  for (const history of histories) {
    const verdict = await history.verdict();
    counts[verdict] += 1;
    if (verdict === 'not-linearizable') [history.object, ...history.show()].forEach((line) => say(line));
  }
  const calls = histories.reduce((sum, history) => sum + history.calls, 0);
  return [
    {
      what: `histories of ${kind} that were checked (${calls} calls in ${histories.length} were recorded)`,
      found: histories.length - counts.undecided,
      atLeast: 1,
    },
    {
      what: `histories of ${kind} that no order of the calls explains`,
      found: counts['not-linearizable'],
      atMost: 0,
    },
    {
      what: `histories of ${kind} that took too long to check`,
      found: counts.undecided,
      atMost: Math.ceil(histories.length / undecidedOneOf),
    },
  ];
}
