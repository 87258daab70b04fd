/** A call as its caller saw it. Times are in milliseconds of the caller's monotonic clock. */
export interface Call<Input, Output> {
  readonly input: Input;
  readonly begin: number;
  /** Infinity where no answer came: then it may have its effect at any later time, or never. */
  readonly end: number;
  /** Absent where no answer came, or where it says only that the call has had its effect. */
  readonly output?: Output | undefined;
}

/** How one object behaves when calls reach it one after the other. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  /** The states in which the object may be after the call; none where it could not have given this answer. */
  next(state: State, call: Call<Input, Output>): readonly State[];
  /** Equal for equal states. */
  keyOf(state: State): string;
}

/** `undecided`: the search took more steps than allowed, which happens with many calls without an answer. */
export type Verdict = 'linearizable' | 'not-linearizable' | 'undecided';

const defaultMaxSteps = 300_000;

/**
 * Whether the calls can be put into an order that the model allows, and in which each comes after all calls that had ended
 * before it began. The algorithm is that of Wing and Gong, with the memory of Lowe: a set of calls that led to a state is
 * not tried twice.
 */
export function checkLinearizable<State, Input, Output>(
  model: Model<State, Input, Output>,
  calls: readonly Call<Input, Output>[],
  maxSteps: number = defaultMaxSteps,
): Verdict {
  const answered = calls.reduce((set, { end }, at) => (end === Infinity ? set : set | bit(at)), 0n);
  const seen = new Set<string>();
  const open: { done: bigint; state: State }[] = [{ done: 0n, state: model.initial }];
  for (let steps = 0; ; steps += 1) {
    const current = open.pop();
    if (!current) return 'not-linearizable';
    const { done, state } = current;
    if ((done & answered) === answered) return 'linearizable';
    if (steps === maxSteps) return 'undecided';
    const left = calls.map((call, at) => ({ call, at })).filter(({ at }) => (done & bit(at)) === 0n);
    const firstEnd = Math.min(...left.map(({ call }) => call.end));
    for (const { call, at } of left) {
      if (call.begin > firstEnd) continue;
      for (const after of model.next(state, call)) {
        const next = { done: done | bit(at), state: after };
        const key = `${next.done.toString(36)} ${model.keyOf(after)}`;
        if (seen.has(key)) continue;
        seen.add(key);
        open.push(next);
      }
    }
  }
}

const bit = (at: number): bigint => 1n << BigInt(at);
