import { isDatabaseAway } from './errors.ts';

/** What a turn leaves to the next one: a value, or the error that says that the database is away. */
interface Ended<Left> {
  readonly left?: Left | undefined;
  readonly away?: unknown;
}

/** Returns its result, and what the next turn with the same id gets. */
type Work<Left, Result> = (left: Left | undefined) => Promise<{ readonly result: Result; readonly left?: Left }>;

/**
 * Runs work with the same id one after the other, in the order of the calls. Each piece of work runs in the async
 * context of its caller and gets what the one before it left; nothing if it is the first, or if the one before failed.
 * If the database is away, the work that waits fails with the same error and is not tried, because each try would take
 * as long again. `last` has an entry for each id only while work with this id is under way.
 */
export function openTurns<Left>(
  last = new Map<string, Promise<Ended<Left>>>(),
): <Result>(id: string, work: Work<Left, Result>) => Promise<Result> {
  return async (id, work) => {
    const before = last.get(id);
    const { promise, resolve } = Promise.withResolvers<Ended<Left>>();
    last.set(id, promise);
    let ended: Ended<Left> = {};
    try {
      const { left, away } = (await before) ?? {};
      if (away !== undefined) throw away;
      const done = await work(left);
      ended = { left: done.left };
      return done.result;
    } catch (error) {
      if (isDatabaseAway(error)) ended = { away: error };
      throw error;
    } finally {
      if (last.get(id) === promise) last.delete(id);
      resolve(ended);
    }
  };
}
