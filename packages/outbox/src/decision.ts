import type { Fact } from '@storefront/contracts';

/** What a decision comes to: the new state together with the facts that others must hear of, and an answer. */
export type Decision<State, Result> =
  | { readonly kind: 'changed'; readonly state: State; readonly facts: readonly Fact[]; readonly result: Result }
  | { readonly kind: 'deleted'; readonly facts: readonly Fact[]; readonly result: Result }
  | { readonly kind: 'unchanged'; readonly result: Result };

/** The aggregate is as `state` from here on, and `facts` tell of it. */
export function changed<State>(state: State, facts: readonly Fact[]): Decision<State, State>;
export function changed<State, Result>(state: State, facts: readonly Fact[], result: Result): Decision<State, Result>;
export function changed<State>(state: State, facts: readonly Fact[], ...result: unknown[]): Decision<State, unknown> {
  return { kind: 'changed', state, facts, result: result.length > 0 ? result[0] : state };
}

/** The aggregate is gone; its last facts are still told. */
export function deleted<Result>(facts: readonly Fact[], result: Result): Decision<never, Result> {
  return { kind: 'deleted', facts, result };
}

/** Nothing is written. */
export function unchanged<Result>(result: Result): Decision<never, Result> {
  return { kind: 'unchanged', result };
}
