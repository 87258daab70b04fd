import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadResult } from './plan.ts';

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Puts the load on and waits until it is over. Rejects where more than one request in a hundred failed. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(worker, { stdio: 'inherit' });
  const result = await new Promise<LoadResult>((resolve, reject) => {
    child.once('message', (message) => resolve(message as LoadResult));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the load ended before its time (exit code ${code})`)));
    child.send(plan);
  });
  if (result.failed > result.requests / 100)
    throw new Error(`${result.failed} requests to ${plan.url} failed and ${result.requests} did not`);
  return result;
}
