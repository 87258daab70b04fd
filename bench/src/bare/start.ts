import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

export interface BareServer {
  readonly url: string;
  readonly pid: number;
  [Symbol.dispose](): void;
}

/** Starts the bare server on the databases of the separate system. */
export async function startBare(mongodbUrl: string): Promise<BareServer> {
  const child = fork(main, [mongodbUrl], { stdio: 'inherit' });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(message as string));
    child.once('exit', (code) => reject(new Error(`the bare server ended (exit code ${code})`)));
  });
  return { url, pid: child.pid ?? 0, [Symbol.dispose]: () => child.disconnect() };
}
