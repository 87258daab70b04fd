import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadResult } from './plan.ts';

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Runs a load in a process of its own. Rejects if more than one request in a hundred fails, or if no answer is measured. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(worker, { stdio: 'inherit' });
  const result = await new Promise<LoadResult>((resolve, reject) => {
    child.once('message', (message) => resolve(message as LoadResult));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the load process ended early (exit code ${code})`)));
    child.send(plan);
  });
  if (result.failed > result.requests / 100)
    throw new Error(
      `${result.failed} requests to ${plan.url} failed and ${result.requests} did not: ${JSON.stringify(result.failures)}`,
    );
  if (result.measured === 0) throw new Error(`${plan.url} has answered nothing in the time that is measured`);
  return result;
}
