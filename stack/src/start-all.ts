import type { Instance } from './instances.ts';

/**
 * Starts the instances in parallel. Closing `resources` closes every instance that has started. Where a start fails,
 * throws the first error once all starts have ended.
 */
export async function startAll(
  instances: readonly Instance[],
  start: (instance: Instance) => Promise<{ close(): Promise<unknown> }>,
  resources: AsyncDisposableStack,
): Promise<void> {
  const running: { close(): Promise<unknown> }[] = [];
  resources.defer(async () => {
    await Promise.all(running.map((each) => each.close()));
  });
  const results = await Promise.allSettled(instances.map(async (instance) => running.push(await start(instance))));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
