import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes variables to `running.json` in the data folder, for commands that run next to the system. Only the owner can
 * read the file. It is removed when the resources are closed.
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
