import type { Call } from './linearizable.ts';

/** A call that states no output: see `call`. */
export type NoOutput = 'done' | 'unknown' | 'nothing';

/** Records the calls to one object, with their begins and ends on the rig's own monotonic clock. */
export interface Recorder<Input, Output> {
  /**
   * Records one call. `send` answers the output, `done` where the call has had its effect and its output is not known,
   * `unknown` where it may have had it or not, or `nothing` where it certainly had none and says nothing about the object.
   */
  call(input: Input, send: () => Promise<Output | NoOutput>): Promise<Output | NoOutput>;
  readonly calls: readonly Call<Input, Output>[];
}

export function createRecorder<Input, Output extends string | number>(): Recorder<Input, Output> {
  const calls: Call<Input, Output>[] = [];
  return {
    calls,
    async call(input, send) {
      const begin = performance.now();
      const output = await send();
      const end = performance.now();
      if (output === 'unknown') calls.push({ input, begin, end: Infinity });
      else if (output === 'done') calls.push({ input, begin, end });
      else if (output !== 'nothing') calls.push({ input, begin, end, output: output });
      return output;
    },
  };
}
