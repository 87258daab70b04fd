import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface EventsRun {
  readonly mongodbUrl: string;
  readonly amqpUrl: string;
  readonly seconds: number;
  /** The number of concurrent changes. */
  readonly concurrency: number;
}

export interface EventsResult {
  readonly events: number;
  /** Until the broker has confirmed the last event and the outboxes are empty. */
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Starts a process that changes aggregates; each change publishes an event. */
export async function writeEvents(run: EventsRun): Promise<EventsResult> {
  const child = fork(worker, { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as EventsResult));
    child.once('exit', (code) => reject(new Error(`the process that writes events ended early (exit code ${code})`)));
    child.send(run);
  });
}
