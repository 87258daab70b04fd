const atMost = 100;

interface Asked<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item;
}

/**
 * Gathers the items of one turn of the event loop, or those that come while `lanes` pieces of work are under way, and works
 * on them together: a busy service asks MongoDB once for many requests, and an idle one waits for nobody. Work always
 * begins after its items were handed in, and answers a result for each in their order; one that is still to come keeps its
 * lane. Where work fails, those who wait are refused with it: the driver has tried again already, the database is away, and
 * to be told so in turns would only take longer.
 */
export function gather<Item, Result>({
  lanes,
  work,
}: {
  readonly lanes: number;
  readonly work: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>;
}): (item: Item) => Promise<Result> {
  const waiting: Asked<Item, Result>[] = [];
  let underWay = 0;
  let isNext = false;

  function next(): void {
    if (isNext || underWay >= lanes || waiting.length === 0) return;
    isNext = true;
    // Requests that came in together are all through when this is called.
    setImmediate(() => {
      isNext = false;
      // Work that failed meanwhile has taken those who waited along.
      if (waiting.length === 0) return;
      void begin(waiting.splice(0, atMost));
      next();
    });
  }

  async function begin(batch: readonly Asked<Item, Result>[]): Promise<void> {
    underWay += 1;
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [place, result] of results.entries()) batch[place]?.resolve(result);
      await Promise.allSettled(results);
    } catch (error) {
      for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error);
    } finally {
      underWay -= 1;
      next();
    }
  }

  return (item) => {
    const asked = { item, ...Promise.withResolvers<Result>() };
    waiting.push(asked);
    next();
    return asked.promise;
  };
}
