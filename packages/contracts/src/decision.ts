import type { z } from 'zod';
import type { Fact } from './event.ts';

/** The type with everything in it read-only. */
export type ReadonlyDeep<Value> = Value extends Date
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly ReadonlyDeep<Element>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> }
      : Value;

/** A state as its zod type says: a new one is made for each change, so all of it is read-only. */
export type StateOf<Type extends z.ZodType> = ReadonlyDeep<z.output<Type>>;

/** The outcome of a decision: the new state of an aggregate, the events to publish about it, and a result. */
export type Decision<State, Result> =
  | { readonly kind: 'changed'; readonly state: State; readonly facts: readonly Fact[]; readonly result: Result }
  | { readonly kind: 'deleted'; readonly facts: readonly Fact[]; readonly result: Result }
  | { readonly kind: 'unchanged'; readonly result: Result };

/** Saves `state` and publishes `facts`. The result is the new state where no other is given. */
export function changed<State>(state: State, facts: readonly Fact[]): Decision<State, State>;
export function changed<State, Result>(state: State, facts: readonly Fact[], result: Result): Decision<State, Result>;
export function changed<State>(state: State, facts: readonly Fact[], ...result: unknown[]): Decision<State, unknown> {
  return { kind: 'changed', state, facts, result: result.length > 0 ? result[0] : state };
}

/** Deletes the aggregate; `facts` are still published. */
export function deleted<Result>(facts: readonly Fact[], result: Result): Decision<never, Result> {
  return { kind: 'deleted', facts, result };
}

/** The same decision with more facts. Where it writes nothing, they are not stated either. */
export function withFacts<State, Result>(
  decision: Decision<State, Result>,
  ...more: readonly Fact[]
): Decision<State, Result> {
  return decision.kind === 'unchanged' ? decision : { ...decision, facts: [...decision.facts, ...more] };
}

/** Writes nothing. */
export function unchanged<Result>(result: Result): Decision<never, Result> {
  return { kind: 'unchanged', result };
}
