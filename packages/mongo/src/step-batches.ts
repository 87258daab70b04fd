import { AsyncLocalStorage } from 'node:async_hooks';
import { batch } from './batch.ts';
import { isDatabaseAway } from './errors.ts';

type Run = <Done>(work: () => Done) => Done;

/** One step of work, and the context of the request that needs it. */
export interface InContext<Item> {
  readonly item: Item;
  readonly run: Run;
  /**
   * From now on the batch changes the documents with these ids in the context of this step: their events get the cause
   * of its request, and the write fence of its request applies. If several steps name an id, the last one owns the
   * document.
   */
  readonly owns: (ids: Iterable<string>) => void;
}

const owners = new AsyncLocalStorage<Map<string, Run>>();

/** Runs work on one document in the context of the step that owns the document. */
export function inContextOfOwner<Done>(id: string, work: () => Done): Done {
  const run = owners.getStore()?.get(id);
  return run ? run(work) : work();
}

/**
 * Works on concurrent items together, one batch at a time, with at most `atMost` items (100 by default). If a batch
 * fails, each of its items is tried alone, so that one faulty item does not affect the others. This is not done if the
 * database is unreachable.
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
      // The batch runs outside the context of any request, although a request has started it.
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
