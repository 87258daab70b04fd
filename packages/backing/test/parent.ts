import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** What the program has started. */
interface Started {
  readonly ports: readonly number[];
  readonly described: readonly string[];
}

/** Starts a process that starts all servers and then waits to be killed. It removes the folder `removed` at its end. */
export async function startParent(
  { dataDir, removed, bus }: { readonly dataDir: string; readonly removed: string; readonly bus: string },
  env: NodeJS.ProcessEnv,
) {
  const program = fileURLToPath(new URL('programs/parent.ts', import.meta.url));
  const parent = spawn(process.execPath, ['--conditions=source', program, dataDir, removed, bus], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const line = await Promise.race([
    once(createInterface({ input: parent.stdout }), 'line').then(([text]) => String(text)),
    once(parent, 'exit').then(([code]) => {
      throw new Error(`The parent ended with exit code ${code} before it had started its servers.`);
    }),
  ]);
  return { parent, ...(JSON.parse(line) as Started) };
}
