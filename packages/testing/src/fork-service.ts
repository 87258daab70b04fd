import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { plainEnv } from './plain-env.ts';

/** A service that runs in its own process. */
export interface ServiceProcess extends ChildProcess {
  readonly url: string;
}

/**
 * Runs a service's `main.ts` in its own process and resolves once it listens. If the process ends before it listens,
 * throws an error that contains the output of the process on stderr.
 */
export async function forkService(name: string, settings: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL(`../../../services/${name}/src/main.ts`, import.meta.url));
  const child = fork(main, {
    execArgv: ['--conditions=source'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...plainEnv, ...settings },
  });
  let written = '';
  child.stderr?.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code} before it listened:\n${written}`);
  });
  const [{ url }] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return Object.assign(child, { url: String(url) });
}
