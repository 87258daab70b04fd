import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes variables for commands that are run beside the system into `running.json` of the data folder, which only the owner can
 * read. It is there until the resources are closed.
 */
export async function tellCommands(
  variables: Record<string, string | undefined>,
  dataDir: string,
  resources: AsyncDisposableStack,
): Promise<void> {
  const file = join(dataDir, 'running.json');
  await writeFile(file, JSON.stringify(variables), { mode: 0o600 });
  resources.defer(() => rmSync(file, { force: true }));
}
