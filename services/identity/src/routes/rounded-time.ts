import { setTimeout as wait } from 'node:timers/promises';

const stepMs = 50;

/**
 * Ends `work` at the next multiple of 50 ms after it began, so that the duration of an answer does not show what was done:
 * one write more or less, or whether an email has an account.
 */
export async function inRoundedTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    await waitForStep(began);
  }
}

/** As `inRoundedTime`, but only where `work` throws: a success hides nothing. */
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
