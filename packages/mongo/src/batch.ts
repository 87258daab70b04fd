import { withinTimeLimit } from './time-limit.ts';

const usualSize = 100;

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item;
}

/**
 * Works on many items at once. The items of one turn of the event loop form a batch, and so do those that come while
 * `concurrency` batches are under way; a batch has `atMost` items, 100 by default. A busy service sends one command for many
 * requests, and an idle one waits for nothing.
 *
 * `work` always begins after its items were handed in. It returns a result for each item, in their order; a result that
 * is still a promise keeps its place under way. Where `work` throws, or has not settled within 30 s, all items that
 * wait fail with the same error: the driver has tried again already and the database is away, so trying the next batch
 * would only take longer. Items that come after that are worked on.
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
    // By then, all requests that came in together have handed in their items.
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
    // Not resolved with the promise itself: then its item could not fail any more when the time is up.
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
