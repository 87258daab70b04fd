import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReaper } from '@storefront/backing';
import type { Closers } from './closers.ts';
import type { Part, Plan } from './plan.ts';
import type { ProcessTable } from './process-table.ts';
import { spawnPart } from './spawn-part.ts';
import { supervise } from './supervise.ts';

/** Starts every part in a process of its own and starts again what dies. */
export async function startSeparately(
  plan: Plan,
  options: { dataDir: string; table: ProcessTable; say: (line: string) => void; closers: Closers },
): Promise<void> {
  const { table, say, closers } = options;
  const logs = join(options.dataDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const reaper = startReaper();
  closers.add(() => reaper.close());

  const startAll = async (parts: readonly Part[]): Promise<void> => {
    const running: { stop(): Promise<void> }[] = [];
    closers.add(() => Promise.all(running.map((part) => part.stop())));
    const started = await Promise.allSettled(
      parts.map(async (part) => {
        const logFile = join(logs, `${part.name}.log`);
        writeFileSync(logFile, '');
        const supervised = supervise({
          name: part.name,
          start: () => spawnPart(part, logFile, reaper),
          onPid: (pid) => table.set(part.name, pid),
          say,
        });
        running.push(await supervised);
      }),
    );
    const failed = started.find((part) => part.status === 'rejected');
    if (failed) throw failed.reason;
  };
  await startAll(plan.services);
  await startAll(plan.gateways);
  say(`Logs: ${logs}`);
}
