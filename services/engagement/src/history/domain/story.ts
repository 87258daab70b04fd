import type { z } from 'zod';
import type { Segment, FactDraft } from '../../analytics/domain/facts/fact.ts';
import type { FactKindName, kinds } from '../../analytics/domain/facts/kinds.ts';
import type { Random } from './random.ts';

type DataOf<Kind extends FactKindName> = z.infer<(typeof kinds)[Kind]['data']>;

/** A fact of the history: as a kind states it, with the id of the event that would have told it. */
export type HistoryFact = {
  [Kind in FactKindName]: FactDraft<DataOf<Kind>> & { readonly id: string; readonly kind: Kind };
}[FactKindName];

type Tell = <Kind extends FactKindName>(kind: Kind, at: Date, data: DataOf<Kind>) => void;

/** What one person does, from a visit or a registration on; some of it weeks later. */
export interface Story {
  readonly random: Random;
  readonly segment: Segment;
  readonly tell: Tell;
  /** The same as of nobody in particular, such as what is said about a registration before it is proven. */
  readonly tellOfNobody: Tell;
}

/** A story whose facts are added to `facts`. */
export function storyOf(
  { random, segment, by }: { readonly random: Random; readonly segment: Segment; readonly by: FactDraft['by'] },
  facts: HistoryFact[],
): Story {
  function add<Kind extends FactKindName>(kind: Kind, at: Date, data: DataOf<Kind>, of: FactDraft['by']) {
    // The compiler does not see that `kind` and `data` belong together, which the signature of `tell` says.
    facts.push({ id: random.id('evt', at), kind, at, segment, by: of, data } as HistoryFact);
  }
  return {
    random,
    segment,
    tell: (kind, at, data) => add(kind, at, data, by),
    tellOfNobody: (kind, at, data) => add(kind, at, data, null),
  };
}
