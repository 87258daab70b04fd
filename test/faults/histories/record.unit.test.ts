import { describe, expect, test } from 'vitest';
import type { Reply } from '../client.ts';
import { randomOf } from '../random.ts';
import { isGood } from '../report.ts';
import type { History, HistoryNeeds } from './history.ts';
import type { Verdict } from './linearizable.ts';
import { recordSessionsOf } from './record-session.ts';
import { recordStock } from './record-stock.ts';
import { judgeHistories } from './record.ts';

const reply = (status: number, body: object = {}, uncertainTries = 0): Reply => ({
  status,
  body,
  uncertainTries,
  code: undefined,
  gateway: 'a',
  retryAfterMs: 0,
  isTokenIgnored: false,
});

function needsOf(parts: { client?: object; admin?: object }): HistoryNeeds {
  return { ...parts, name: 'test', gateways: ['a', 'b'], random: randomOf(7, 'test'), readsAreExact: true } as never;
}

describe('sessions', () => {
  /** An API whose first logouts get no answer and have no effect. A new login opens a session again. */
  function apiThatLosesLogouts(lost: number) {
    let isAlive = false;
    let logouts = 0;
    return {
      call: async () => {
        isAlive = true;
        return reply(200, { accessToken: 'access', refreshToken: 'refresh' });
      },
      once: async (_gateway: string, _method: string, path: string) => {
        if (path.endsWith('/refresh')) return reply(503);
        if (!isAlive) return reply(401);
        if (!path.endsWith('/logout')) return reply(200);
        logouts += 1;
        if (logouts <= lost) return reply(0);
        isAlive = false;
        return reply(200);
      },
    };
  }

  async function sessionsRecordedAt(client: object): Promise<History[]> {
    const recorded: History[] = [];
    await recordSessionsOf('ada@example.com', needsOf({ client }), {
      isOver: () => recorded.length === 3,
      into: recorded,
      pace: { beforeEndMs: [10, 20], afterEndMs: 10 },
    });
    for (const history of recorded) expect(await history.verdict()).toBe('linearizable');
    return recorded;
  }

  test('are no longer recorded on an account that a lost logout may still end', async () => {
    expect(await sessionsRecordedAt(apiThatLosesLogouts(3))).toHaveLength(1);
  });

  test('are recorded on after a later logout was answered', async () => {
    expect(await sessionsRecordedAt(apiThatLosesLogouts(1))).toHaveLength(3);
  });
});

describe('the stock of a product', () => {
  /** A catalog; `answerOf` says what a move with a key is answered, given the stock after it. */
  function catalog(answerOf: (change: number, stock: number) => Promise<Reply>) {
    let stock = 20;
    const present = () => stock;
    const move = (change: number) => {
      if (stock + change < 0) return null;
      stock += change;
      return stock;
    };
    const refusal = { ...reply(422), code: 'insufficient_stock' };
    const read = async () => reply(200, { stock });
    return {
      present,
      client: { call: read, once: read },
      admin: {
        call: async (_method: string, path: string, { body }: { body: { change: number } }) => {
          if (!path.endsWith('/stock')) return reply(201, { id: 'product' });
          const after = move(body.change);
          return after === null ? refusal : answerOf(body.change, after);
        },
        once: async (_gateway: string, _method: string, _path: string, { body }: { body: { change: number } }) => {
          const after = move(body.change);
          return after === null ? refusal : reply(200, { stock: after });
        },
      },
    };
  }
  const verdictOn = async (parts: ReturnType<typeof catalog>) => (await recordStock(needsOf(parts), 1))?.verdict();

  /** The administrator's first move of a stock has this answer, and does not reach the catalog. */
  function answerFirstMove(
    { admin }: ReturnType<typeof catalog>,
    answer: (path: string, request: Parameters<typeof admin.call>[2]) => ReturnType<typeof admin.call>,
  ): void {
    const { call } = admin;
    let isFirst = true;
    admin.call = async (method, path, request) => {
      if (!isFirst || !path.endsWith('/stock')) return call(method, path, request);
      isFirst = false;
      return answer(path, request);
    };
  }

  test('may have changed since a move whose answer was lost, and that was repeated', async () => {
    const parts = catalog(async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return reply(200, { stock: parts.present() }, 1);
    });
    expect(await verdictOn(parts)).toBe('linearizable');
  });

  test('shows that a move which was answered was never made', async () => {
    const parts = catalog(async (_change, stock) => reply(200, { stock }));
    answerFirstMove(parts, async () => reply(200, { stock: parts.present() }, 1));
    expect(await verdictOn(parts)).toBe('not-linearizable');
  });

  test('may be moved by an earlier try after a later one was refused', async () => {
    const parts = catalog(async (_change, stock) => reply(200, { stock }));
    answerFirstMove(parts, async (path, request) => {
      setTimeout(() => void parts.admin.once('a', 'POST', path, request), 100);
      return { ...reply(422, {}, 1), code: 'insufficient_stock' };
    });
    expect(await verdictOn(parts)).toBe('linearizable');
  });
});

describe('a run', () => {
  const history = (verdict: Verdict): History => ({
    object: verdict,
    calls: 1,
    verdict: async () => verdict,
    show: () => [],
  });
  const isGoodWith = async (...verdicts: Verdict[]) => {
    const mails = { afterKill: [], unexplained: 0, missing: 0 } as never;
    const facts = await judgeHistories('stock', verdicts.map(history), () => undefined);
    return isGood({ lost: 0, duplicated: 0, stuck: 0, mails, facts });
  };

  test('is good with one undecided history of ten, and only where others were checked', async () => {
    expect(await isGoodWith('linearizable')).toBe(true);
    expect(await isGoodWith('linearizable', 'undecided')).toBe(true);
    expect(await isGoodWith('linearizable', 'undecided', 'undecided')).toBe(false);
    expect(await isGoodWith('undecided')).toBe(false);
    expect(await isGoodWith()).toBe(false);
    expect(await isGoodWith('linearizable', 'not-linearizable')).toBe(false);
  });
});
