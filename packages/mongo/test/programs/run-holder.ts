import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The input of `holder.ts`, as JSON in its argument. */
export interface HolderInput {
  readonly url: string;
  readonly leaseMs: number;
  readonly beatMs: number;
  /** The idempotency key that it claims. */
  readonly key: string;
}

/** What it reports. */
interface Report {
  /** The id under which it began. */
  readonly first: string;
  readonly holder: string;
  /** Whether it holds what it took under that id. */
  readonly isHeld: boolean;
}

export interface Holder {
  readonly child: ChildProcess;
  readonly reports: readonly Report[];
}

/** Runs `holder.ts`; resolves once it holds its key. */
export async function runHolder(input: HolderInput): Promise<Holder> {
  const reports: Report[] = [];
  const child = fork(new URL('holder.ts', import.meta.url), [JSON.stringify(input)], {
    execArgv: ['--conditions=source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', (report) => reports.push(report as Report));
  await once(child, 'message');
  return { child, reports };
}
