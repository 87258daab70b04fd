import { engagementEvents, queues } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { draftOf } from '../domain/facts/kinds.ts';
import type { FactIntake } from '../store/batch-facts.ts';

/**
 * Handles every event that becomes a fact. The fact has the id of the event, so an event that is delivered twice
 * becomes one fact.
 */
export function onFactPublished(facts: FactIntake) {
  return queues.engagement.onFactPublished.contracts.map((contract) =>
    on(contract, async (event) => {
      const time = new Date(event.time);
      if (event.type === engagementEvents.factsHeartbeat.type) return facts.noteHeartbeat(time);
      const draft = draftOf(event);
      if (draft) await facts.add({ ...draft, id: event.id, publishedAt: time });
    }),
  );
}
