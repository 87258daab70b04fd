import { AsyncLocalStorage } from 'node:async_hooks';
import { batch } from './batch.ts';
import { isDatabaseAway } from './errors.ts';

type Run = <Done>(work: () => Done) => Done;

/** Something to do, and the context of the request that wants it done. */
export interface InContext<Item> {
  readonly item: Item;
  readonly run: Run;
  /**
   * From now on the batch changes the documents with these ids in the context of this step: their events name its
   * cause, and the fence of its request holds. The step that has named an id last counts.
   */
  readonly owns: (ids: Iterable<string>) => void;
}

const owners = new AsyncLocalStorage<Map<string, Run>>();

/** Runs what concerns one document, in the context of the step that owns it. */
export function inContextOfOwner<Done>(id: string, work: () => Done): Done {
  const run = owners.getStore()?.get(id);
  return run ? run(work) : work();
}

/**
 * Does the items of one moment together, one such batch at a time, of `atMost` items, 100 by default. Where a batch
 * fails, each item is done alone, so that one that fails does not harm the others.
 */
export function openStepBatches<Item, Result>(
  work: (items: readonly InContext<Item>[]) => Promise<readonly Result[]>,
  { atMost }: { readonly atMost?: number } = {},
): (item: Item) => Promise<Result> {
  const outside = AsyncLocalStorage.snapshot();

  async function workAlone(item: InContext<Item>): Promise<Result> {
    const [result] = await work([item]);
    if (result === undefined) throw new Error('a step has no result');
    return result;
  }

  const add = batch<InContext<Item>, Result>({
    concurrency: 1,
    ...(atMost === undefined ? {} : { atMost }),
    work: (items) =>
      // The batch belongs to no request, although a request has started it.
      outside(() =>
        owners.run(new Map(), async () => {
          try {
            return await work(items);
          } catch (error) {
            if (items.length === 1 || isDatabaseAway(error)) throw error;
          }
          const results: Promise<Result>[] = [];
          for (const item of items) {
            const result = workAlone(item);
            results.push(result);
            await result.catch(() => undefined);
          }
          return results;
        }),
      ),
  });
  return (item) => {
    const run = AsyncLocalStorage.snapshot();
    const owns = (ids: Iterable<string>) => {
      for (const id of ids) owners.getStore()?.set(id, run);
    };
    return add({ item, run, owns });
  };
}
