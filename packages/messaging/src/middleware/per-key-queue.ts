/**
 * Runs tasks of one key one after the other, and tasks of different keys at the same time. So a consumer handles the
 * events of one subject in order, while events of other subjects run in parallel. A task must not reject.
 */
export function createPerKeyQueue(): (key: string, task: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (key, task) => {
    const before = last.get(key);
    const run = before ? before.then(task) : task();
    last.set(key, run);
    await run;
    if (last.get(key) === run) last.delete(key);
  };
}
