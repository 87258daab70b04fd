import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReaper } from '@storefront/backing';
import type { Instance, Instances } from './instances.ts';
import type { ProcessTable } from './process-table.ts';
import { spawnInstance } from './spawn-instance.ts';
import { startAll } from './start-all.ts';
import { supervise } from './supervise.ts';

/** Starts every instance as a separate process, and restarts it when it ends. */
export async function startSeparately(
  { services, gateways }: Instances,
  options: { dataDir: string; table: ProcessTable; say: (line: string) => void; resources: AsyncDisposableStack },
): Promise<void> {
  const { table, say, resources } = options;
  const logs = join(options.dataDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const reaper = startReaper();
  resources.defer(() => reaper.close());

  const start = (instance: Instance) => {
    const { name } = instance;
    const logFile = join(logs, `${name}.log`);
    // Restarts append to the log. A new start of the system begins with an empty log.
    writeFileSync(logFile, '');
    return supervise({
      name,
      start: () => spawnInstance(instance, logFile, reaper),
      onPid: (pid) => table.set(name, pid),
      say,
    });
  };
  // Resources are closed in reverse order, so gateways are closed before the services that they call.
  await startAll(services, start, resources);
  await startAll(gateways, start, resources);
  say(`Logs: ${logs}`);
}
