import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { z } from 'zod';
import type { Service } from './define-service.ts';
import type { Started } from './start-alone.ts';

// In less than ten seconds: an orchestrator kills a process that takes longer.
const closeMs = 9500;
// How long a start may take to stop once the process is to end. It has no clients yet, and what it leaves open becomes
// free as after a crash.
const giveUpMs = 1500;

/**
 * Runs a service as a process of its own: reads the environment, starts, closes on SIGTERM or SIGINT with exit code 0, at
 * whatever moment the signal comes. A wrong configuration ends it at once, naming every wrong variable. `load` imports the
 * service: the first process of a container ignores a signal that nothing listens for, and loading takes a while.
 */
export async function runService<Schema extends z.ZodObject>(
  load: () => Promise<{ readonly service: Service<Schema> }>,
): Promise<void> {
  const ending = new AbortController();
  const attempt = Promise.withResolvers<void>();
  let started: Started | undefined;
  const logger = { error: (what: unknown) => (started?.logger ?? console).error(what) };
  closeWithGrace({ delay: closeMs, skip: ['beforeExit'], logger }, async ({ err }) => {
    ending.abort(new Error('the process is to end'));
    if (err) logger.error(err);
    await Promise.race([attempt.promise, wait(giveUpMs)]);
    await started?.close();
    started?.logger.info('closed');
  });
  // The parent process, such as the stack with separate services, has ended without sending a signal.
  if (process.channel) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

  try {
    const [{ startAlone }, { service }] = await Promise.all([import('./start-alone.ts'), load()]);
    started = await startAlone(service, ending.signal);
  } catch (error) {
    if (ending.signal.aborted) return attempt.resolve();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
  attempt.resolve();
  if (ending.signal.aborted) return;
  started.logger.info({ url: started.url }, 'listening');
  process.channel?.unref();
  process.send?.({ url: started.url });
}
