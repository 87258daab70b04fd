interface Step {
  readonly was: string;
  readonly what: string;
  readonly detail?: string;
}

/** Prints a line for each step of a deployment. The process ends with exit code 1 where a step failed. */
export function reportSteps(steps: readonly Step[]): void {
  for (const step of steps) process.stdout.write(lineOf(step));
  if (steps.some(({ was }) => was === 'failed')) process.exitCode = 1;
}

export function lineOf({ was, what, detail }: Step): string {
  return `${was.padEnd(8)} ${what}${detail === undefined ? '' : `: ${detail}`}\n`;
}
