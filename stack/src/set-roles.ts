import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const identityCommands = fileURLToPath(new URL('../../services/identity/src/cli.ts', import.meta.url));

/**
 * Gives accounts roles of the staff by the command `npm run identity -- staff set-role`, by one process for all of them. The API
 * would ask the administrator for a second factor, which the demo's does not have. `dataDir` is that of the running system, which
 * says what identity's database is: a MONGODB_URL of `env` names only the server.
 */
export async function setRoles(
  staff: readonly { readonly email: string; readonly role: string }[],
  { dataDir, env }: { readonly dataDir: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const options = staff.flatMap(({ email, role }) => ['--email', email, '--role', role]);
  await run(process.execPath, [...process.execArgv, identityCommands, 'staff', 'set-role', ...options], {
    env: { ...env, DATA_DIR: dataDir, MONGODB_URL: '' },
  });
}
