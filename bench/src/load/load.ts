import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadResult } from './plan.ts';

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));

interface LoadProcess {
  readonly child: ChildProcess;
  /** Rejects once the process ends. */
  readonly ended: Promise<never>;
}

/** They are used again: V8 compiles what a process does often, and that time is not the server's. They end with this process. */
const idle: LoadProcess[] = [];

/** Runs a load in a process of its own. Rejects if more than one request in a hundred fails, or if no answer is measured. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const started = idle.pop() ?? start();
  started.child.send(plan);
  const [answer] = await Promise.race([once(started.child, 'message'), started.ended]);
  const result = answer as LoadResult;
  idle.push(started);
  if (result.failed > result.requests / 100)
    throw new Error(
      `${result.failed} requests to ${plan.url} failed and ${result.requests} did not: ${JSON.stringify(result.failures)}`,
    );
  if (result.measured === 0) throw new Error(`${plan.url} has answered nothing in the time that is measured`);
  return result;
}

function start(): LoadProcess {
  const child = fork(worker, { stdio: 'inherit' });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the load process ended early (exit code ${String(code)})`);
  });
  // The caller of a load gets its error; an idle process may end.
  ended.catch(() => undefined);
  return { child, ended };
}
