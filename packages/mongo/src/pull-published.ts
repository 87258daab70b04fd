import { setTimeout as wait } from 'node:timers/promises';
import type { PendingEvent, Source } from './pending-events.ts';

/** Removes published events from the outboxes. */
export interface Puller {
  /**
   * `onSettled` is called once the events are removed, or could not be removed. In the second case they stay and are
   * published again.
   */
  pull(published: readonly PendingEvent[], onSettled: () => void): void;
  /** Resolves once all calls of `pull` are settled. */
  idle(): Promise<void>;
}

const gatherMs = 250;

interface Needs {
  /** Called for each collection with outboxes from which events were removed. */
  readonly onPulled: (source: Source) => void;
  readonly onFailure: (error: unknown) => void;
}

export function createPuller({ onPulled, onFailure }: Needs): Puller {
  let waiting: { readonly published: readonly PendingEvent[]; readonly onSettled: () => void }[] = [];
  let pulling: Promise<void> | null = null;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      // No caller waits for this. Events that are confirmed during the pause go into the same command.
      await wait(gatherMs);
      const taken = waiting;
      waiting = [];
      await pullFromOutboxes(
        taken.flatMap(({ published }) => published),
        onPulled,
      ).catch(onFailure);
      for (const { onSettled } of taken) onSettled();
    }
  }

  return {
    pull(published, onSettled) {
      waiting.push({ published, onSettled });
      pulling ??= work().finally(() => (pulling = null));
    },
    async idle() {
      while (pulling) await pulling;
    },
  };
}

async function pullFromOutboxes(published: readonly PendingEvent[], onPulled: Needs['onPulled']): Promise<void> {
  for (const [source, events] of Map.groupBy(published, ({ source: of }): Source => of)) {
    const byDocument = Map.groupBy(events, ({ documentId }) => documentId);
    await source.bulkWrite(
      [...byDocument].map(([_id, pulled]) => ({
        updateOne: {
          filter: { _id },
          update: { $pull: { outbox: { id: { $in: pulled.map(({ event }) => event.id) } } } },
        },
      })),
      // `w: 1` is enough: if the removal is lost or repeated, the event is at most published again, which does no harm.
      { ordered: false, writeConcern: { w: 1 } },
    );
    onPulled(source);
  }
}
