import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/**
 * Reads the arguments and options of a command from `given`, by default from the process's arguments. `--help` prints
 * the usage and ends the process with exit code 0. An unknown option prints the error and the usage, and ends the
 * process with exit code 1.
 */
export function readCommandLine<Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  given: readonly string[] = process.argv.slice(2),
) {
  const args = [...given];
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(1);
  }
}
