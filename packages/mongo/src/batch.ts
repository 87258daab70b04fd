import { withinTimeLimit } from './time-limit.ts';

const usualSize = 100;

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item;
}

/**
 * Works on many items together. All items of one turn of the event loop form a batch. While `concurrency` batches are
 * under way, further items wait for the next batch. A batch has at most `atMost` items, 100 by default. So a busy
 * service sends one command for many requests, and an idle service does not wait.
 *
 * `work` begins after all its items were added. It returns a result for each item, in their order. If a result is a
 * promise, its batch stays under way until the promise settles. If `work` throws or has not settled within 30 s, the
 * items of the batch and all waiting items fail with the same error. Waiting items are not tried, because the driver
 * has already retried and the database is unreachable, so each further batch would only take longer. Items that are
 * added later are worked on.
 *
 * After a batch has ended, the next one begins `pauseMs` milliseconds later (0 by default), so that it has more items; or
 * as soon as half of the items wait that it may have.
 */
export function batch<Item, Result>({
  concurrency,
  atMost = usualSize,
  pauseMs = 0,
  work,
}: {
  readonly concurrency: number;
  readonly atMost?: number;
  readonly pauseMs?: number;
  readonly work: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>;
}): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isScheduled = false;
  let isPausing = false;

  function schedule(): void {
    if (isScheduled || underWay >= concurrency || waiting.length === 0) return;
    if (isPausing && waiting.length < atMost / 2) return;
    isScheduled = true;
    // At that time all requests that arrived together have added their items.
    setImmediate(() => {
      isScheduled = false;
      // A batch that failed meanwhile may have emptied the queue.
      if (waiting.length === 0) return;
      void run(waiting.splice(0, atMost));
      schedule();
    });
  }

  async function run(items: readonly Waiting<Item, Result>[]): Promise<void> {
    underWay += 1;
    try {
      await withinTimeLimit(settle(items));
    } catch (error) {
      for (const { reject } of [...items, ...waiting.splice(0)]) reject(error);
    } finally {
      underWay -= 1;
      if (pauseMs > 0) pause();
      schedule();
    }
  }

  function pause(): void {
    if (isPausing) return;
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      schedule();
    }, pauseMs);
  }

  async function settle(items: readonly Waiting<Item, Result>[]): Promise<void> {
    const results = await work(items.map(({ item }) => item));
    if (results.length !== items.length) throw new Error(`${results.length} results for ${items.length} items`);
    // An item is not resolved with the promise itself, because then it could no longer fail at the time limit.
    await Promise.all(
      items.map(({ resolve, reject }, place) =>
        Promise.resolve(results[place] as Result | Promise<Result>).then(resolve, reject),
      ),
    );
  }

  return (item) => {
    const entry = { item, ...Promise.withResolvers<Result>() };
    waiting.push(entry);
    schedule();
    return entry.promise;
  };
}
