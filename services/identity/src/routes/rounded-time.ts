import { setTimeout as wait } from 'node:timers/promises';

const stepMs = 50;

/**
 * Runs `work`, and ends at the next multiple of 50 ms after the start. So the duration of an answer does not show what
 * was done, for example one more write, or whether an email has an account.
 */
export async function inRoundedTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    await waitForStep(began);
  }
}

/** As `inRoundedTime`, but only where `work` throws, since the duration of a success need not be hidden. */
export async function refuseInRoundedTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  try {
    return await work();
  } catch (error) {
    await waitForStep(began);
    throw error;
  }
}

function waitForStep(began: number): Promise<void> {
  return wait(stepMs - ((performance.now() - began) % stepMs));
}
