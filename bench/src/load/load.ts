import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadResult } from './plan.ts';

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** They are used again: V8 compiles what a process does often, and that time is not the server's. They end with this process. */
const idle: ChildProcess[] = [];

/** Runs a load in a process of its own. Rejects if more than one request in a hundred fails, or if no answer is measured. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = idle.pop() ?? fork(worker, { stdio: 'inherit' });
  const result = await resultOf(child, plan);
  idle.push(child);
  if (result.failed > result.requests / 100)
    throw new Error(
      `${result.failed} requests to ${plan.url} failed and ${result.requests} did not: ${JSON.stringify(result.failures)}`,
    );
  if (result.measured === 0) throw new Error(`${plan.url} has answered nothing in the time that is measured`);
  return result;
}

async function resultOf(child: ChildProcess, plan: LoadPlan): Promise<LoadResult> {
  const ended = new AbortController();
  const exit = once(child, 'exit', ended).then(([code]) => {
    throw new Error(`the load process ended early (exit code ${String(code)})`);
  });
  const message = once(child, 'message', ended).then(([result]) => result as LoadResult);
  child.send(plan);
  try {
    return await Promise.race([message, exit]);
  } finally {
    exit.catch(() => undefined);
    message.catch(() => undefined);
    ended.abort();
  }
}
