/**
 * Runs tasks of one key one after the other and those of different keys side by side, so that a consumer sees the
 * facts about one subject in order although many deliveries are under way. A task must not reject.
 */
export function createLanes(): (key: string, task: () => Promise<void>) => Promise<void> {
  const tails = new Map<string, Promise<void>>();
  return async (key, task) => {
    const before = tails.get(key);
    const run = before ? before.then(task) : task();
    tails.set(key, run);
    await run;
    if (tails.get(key) === run) tails.delete(key);
  };
}
