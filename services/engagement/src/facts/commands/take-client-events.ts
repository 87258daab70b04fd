import type { engagementHttp } from '@storefront/contracts';
import { checkClientEvent } from '../domain/client-event.ts';
import type { ClientFact } from '../domain/client-event.ts';
import type { Segment } from '../domain/fact.ts';
import type { Somebody } from '../domain/person.ts';
import type { Rush } from '../domain/rush.ts';
import type { EventCounts } from '../store/event-counts.ts';
import type { FactStore } from '../store/fact-store.ts';

interface Needs {
  readonly facts: Pick<FactStore, 'take'>;
  readonly eventCounts: EventCounts;
  readonly rush: Pick<Rush, 'note'>;
  readonly now: () => Date;
}

/** Who sent events. `by` is null where nobody is known, or wants to be. */
interface Sender {
  readonly by: Somebody | null;
  readonly segment: Segment;
  readonly ip: string;
}

export interface TakenEvents {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: { index: number; code: engagementHttp.AnalyticsRejection }[];
}

/** Takes the events that a client sent. Each one that is wrong is rejected by itself. */
export async function takeClientEvents(
  { facts, eventCounts, rush, now }: Needs,
  { by, segment, ip }: Sender,
  events: readonly unknown[],
): Promise<TakenEvents> {
  const toldAt = now();
  const checked = events.map((sent, index) => ({ index, outcome: checkClientEvent(sent, toldAt) }));
  const right = checked.flatMap(({ index, outcome }) =>
    typeof outcome === 'string' ? [] : [{ index, fact: outcome }],
  );
  const admitted = await eventCounts.admit(by, ip, right.length);
  const told = right.slice(0, admitted).map(({ fact }: { fact: ClientFact }) => ({ ...fact, segment, by, toldAt }));
  rush.note(told.length);
  const isNew = await facts.take(told);
  const accepted = isNew.filter(Boolean).length;
  const wrong = checked.flatMap(({ index, outcome }) =>
    typeof outcome === 'string' ? [{ index, code: outcome }] : [],
  );
  const tooMany = right.slice(admitted).map(({ index }) => ({ index, code: 'too_many' as const }));
  return {
    accepted,
    duplicates: told.length - accepted,
    rejected: [...wrong, ...tooMany].toSorted((one, other) => one.index - other.index),
  };
}
