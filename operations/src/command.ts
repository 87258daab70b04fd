/** A command for operators of the system. `main.ts` prints its errors and ends the process with 1. */
export interface Command {
  /** What it does, in a few words, for the list of all commands. */
  readonly summary: string;
  /** Does it, with the arguments behind its name. */
  readonly run: (args: readonly string[]) => Promise<void>;
}
