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
 */
export function batch<Item, Result>({
  concurrency,
  atMost = usualSize,
  work,
}: {
  readonly concurrency: number;
  readonly atMost?: number;
  readonly work: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>;
}): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || underWay >= concurrency || waiting.length === 0) return;
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
      schedule();
    }
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
