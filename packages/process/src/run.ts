import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { z } from 'zod';
import type { Service } from './define-service.ts';
import { giveMemoryBackWhenIdle } from './give-memory-back.ts';
import type { Started } from './start-alone.ts';

// Less than ten seconds, because an orchestrator kills a process that takes longer.
const closeMs = 9500;
// How long an unfinished start may take to stop when the process must end. A starting service has no clients yet, and
// everything that it leaves open becomes free as after a crash.
const giveUpMs = 1500;

/**
 * Runs a service in its own process: reads the environment and starts the service. SIGTERM or SIGINT closes it with
 * exit code 0, even during the start. A wrong configuration ends the process at once and names every wrong variable.
 * `load` imports the service. It is a function so that signals are handled before the import, which takes a while: the
 * first process of a container ignores signals without a listener.
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
  // `disconnect` means that the parent process, such as the stack with separate services, has ended without a signal.
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
  giveMemoryBackWhenIdle();
  started.logger.info({ url: started.url }, 'listening');
  process.channel?.unref();
  process.send?.({ url: started.url });
}
