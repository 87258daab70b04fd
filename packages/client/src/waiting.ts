import { ApiError } from './errors.ts';

/** A signal that is aborted with its caller's, or when the time is over. */
export interface Limit {
  readonly signal: AbortSignal;
  leftMs(): number;
  /** Ends the limit of time; the signal of the caller still counts. */
  clear(): void;
}

/** Limits a call to `ms`; it is then aborted with an ApiError `timed_out`. `Infinity` is no limit. */
export function withLimit(outer: AbortSignal | undefined, ms: number): Limit {
  const controller = new AbortController();
  const end = Date.now() + ms;
  const timer = Number.isFinite(ms)
    ? setTimeout(() => controller.abort(new ApiError('timed_out', `There was no answer within ${ms} ms.`)), ms)
    : undefined;
  return {
    signal: outer ? AbortSignal.any([outer, controller.signal]) : controller.signal,
    leftMs: () => end - Date.now(),
    clear: () => clearTimeout(timer),
  };
}

/** Resolves after `ms`, or rejects with the reason of the signal. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
