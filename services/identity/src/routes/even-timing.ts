import { setTimeout as wait } from 'node:timers/promises';

const gridMs = 50;

/**
 * Ends work at the next multiple of 50 ms after it began, so that the time of an answer does not tell which of two ways
 * it took: one write more or less, an email that is known or not.
 */
export async function evenly<Result>(work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    await toGrid(began);
  }
}

/** As `evenly`, but success need not wait: it says what it is anyhow. */
export async function refuseEvenly<Result>(work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  try {
    return await work();
  } catch (error) {
    await toGrid(began);
    throw error;
  }
}

function toGrid(began: number): Promise<void> {
  return wait(gridMs - ((performance.now() - began) % gridMs));
}
