/**
 * Runs the task for at most `ms` milliseconds. After that the task's signal is aborted and the promise rejects. A task
 * that ignores the signal may still be running.
 */
export async function withTimeout<Result>(ms: number, task: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(`the handler did not finish within ${ms} ms`);
    controller.abort(error);
    reject(error);
  }, ms);
  try {
    return await Promise.race([task(controller.signal), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
