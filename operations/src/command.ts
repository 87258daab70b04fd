/**
 * A command for operators of the system. `main.ts` prints the errors of a command and ends the process with exit code
 * 1.
 */
export interface Command {
  /** What the command does, in a few words, for the list of all commands. */
  readonly summary: string;
  /** Runs the command with the arguments that follow its name. */
  readonly run: (args: readonly string[]) => Promise<void>;
}
