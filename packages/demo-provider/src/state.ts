import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Delivery } from './delivery.ts';
import type { Payment } from './payment.ts';

/** All data of the provider. */
interface ProviderState {
  /** The port of the last start. It is used again, so that the pages of payments keep their addresses. */
  readonly port: number | null;
  readonly payments: Readonly<Record<string, Payment>>;
  /** In the order in which they were created. */
  readonly deliveries: readonly Delivery[];
}

export interface StateStore {
  readonly get: () => ProviderState;
  /** Changes the state, and resolves when it is stored. Changes made at the same time are stored in one write. */
  readonly change: (decide: (state: ProviderState) => ProviderState) => Promise<void>;
}

const empty: ProviderState = { port: null, payments: {}, deliveries: [] };
const maxPayments = 2000;
const maxEnded = 2000;

/**
 * Opens the stored state. It is in the file `callbacks.json` of the folder, or only in memory if there is no folder.
 */
export async function openState(dataDir: string | undefined): Promise<StateStore> {
  const file = dataDir === undefined ? undefined : join(dataDir, 'callbacks.json');
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true, mode: 0o700 });
  let state = file === undefined ? empty : await read(file);
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function write(): Promise<void> {
    if (file === undefined) return;
    await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  return {
    get: () => state,
    change(decide) {
      state = bounded(decide(state));
      next ??= writing.then(() => {
        next = undefined;
        const written = write();
        // A failed write does not prevent the next one.
        writing = written.catch(() => undefined);
        return written;
      });
      return next;
    },
  };
}

async function read(file: string): Promise<ProviderState> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ProviderState;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty;
    throw error;
  }
}

/** The state without the oldest payments and ended deliveries, so that it does not grow without limit. */
function bounded(state: ProviderState): ProviderState {
  const payments = Object.entries(state.payments);
  const ended = state.deliveries.filter((delivery) => delivery.state !== 'waiting');
  const forgotten = new Set(ended.slice(0, Math.max(0, ended.length - maxEnded)));
  return {
    ...state,
    payments: payments.length > maxPayments ? Object.fromEntries(payments.slice(-maxPayments)) : state.payments,
    deliveries: forgotten.size > 0 ? state.deliveries.filter((delivery) => !forgotten.has(delivery)) : state.deliveries,
  };
}
