import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface EventsRun {
  readonly mongodbUrl: string;
  readonly amqpUrl: string;
  readonly seconds: number;
  /** How many changes are under way at once. */
  readonly atOnce: number;
}

export interface EventsResult {
  readonly events: number;
  /** Until the last event was confirmed by the broker and out of its outbox. */
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Has a service of its own process change aggregates that publish an event each. */
export async function writeEvents(run: EventsRun): Promise<EventsResult> {
  const child = fork(worker, { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as EventsResult));
    child.once('exit', (code) => reject(new Error(`the writing of events ended early (exit code ${code})`)));
    child.send(run);
  });
}
