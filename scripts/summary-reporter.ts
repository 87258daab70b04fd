import type { TestError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints a last line that programs can read, and before it a line for each test that passed or failed at its second
 * try, with what the first one failed of, and for each that was skipped for a reason. A test file that can't be loaded
 * counts as one failure.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    const remarks: string[] = [];
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        const { state } = result;
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
        if ((test.diagnostic()?.retryCount ?? 0) > 0)
          remarks.push(`second try: ${module.relativeModuleId}: ${test.fullName}\n${indented(result.errors?.[0])}`);
        if (result.state === 'skipped' && result.note)
          remarks.push(`skipped: ${module.relativeModuleId}: ${result.note}\n`);
      }
    }
    // At the exit, so that it comes after the output of the other reporters.
    process.once('exit', () =>
      process.stdout.write(
        `${remarks.join('')}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
      ),
    );
  }
}

/** What is known of an error, in lines of its own. */
function indented(error: TestError | undefined): string {
  if (error === undefined) return '';
  const lines = [error.message, error.diff, error.stacks?.map(({ file, line }) => `at ${file}:${line}`)[0]];
  return lines
    .flatMap((text) => text?.split('\n') ?? [])
    .map((line) => `    ${line}\n`)
    .join('');
}
