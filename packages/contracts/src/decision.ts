import type { z } from 'zod';
import type { Fact } from './event.ts';

/** The type with all fields read-only, on every level. */
export type ReadonlyDeep<Value> = Value extends Date
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly ReadonlyDeep<Element>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> }
      : Value;

/** The read-only type of a state, from its zod schema. A state is never modified: each change makes a new one. */
export type StateOf<Type extends z.ZodType> = ReadonlyDeep<z.output<Type>>;

/**
 * The result of a domain decision: the new state of an aggregate, the events to publish about it, and a result for the
 * caller.
 */
export type Decision<State, Result> =
  | { readonly kind: 'changed'; readonly state: State; readonly facts: readonly Fact[]; readonly result: Result }
  | { readonly kind: 'deleted'; readonly facts: readonly Fact[]; readonly result: Result }
  | { readonly kind: 'unchanged'; readonly result: Result };

/** Decides to save `state` and to publish `facts`. The result is the new state, unless another result is given. */
export function changed<State>(state: State, facts: readonly Fact[]): Decision<State, State>;
export function changed<State, Result>(state: State, facts: readonly Fact[], result: Result): Decision<State, Result>;
export function changed<State>(state: State, facts: readonly Fact[], ...result: unknown[]): Decision<State, unknown> {
  return { kind: 'changed', state, facts, result: result.length > 0 ? result[0] : state };
}

/** Decides to delete the aggregate. `facts` are still published. */
export function deleted<Result>(facts: readonly Fact[], result: Result): Decision<never, Result> {
  return { kind: 'deleted', facts, result };
}

/** Decides to delete the aggregate, if there is one. Nothing is published. */
export function deletedIfAny(current: unknown): Decision<never, null> {
  return current ? deleted([], null) : unchanged(null);
}

/** Adds facts to a decision. If the decision is `unchanged`, nothing is written and the facts are dropped. */
export function withFacts<State, Result>(
  decision: Decision<State, Result>,
  ...more: readonly Fact[]
): Decision<State, Result> {
  return decision.kind === 'unchanged' ? decision : { ...decision, facts: [...decision.facts, ...more] };
}

/** Decides to write nothing. */
export function unchanged<Result>(result: Result): Decision<never, Result> {
  return { kind: 'unchanged', result };
}
