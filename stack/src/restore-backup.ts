import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StackError } from './error.ts';

const operations = fileURLToPath(new URL('../../operations/src/main.ts', import.meta.url));

/**
 * Restores a backup as `npm run restore` does, before any service starts. Throws a StackError with what the command says
 * where it fails, such as that the databases are not empty.
 */
export async function restoreBackup(
  { folder, force }: { readonly folder: string; readonly force: boolean },
  servers: { readonly mongodbUrl: string; readonly brokerUrl: string; readonly managementUrl?: string | undefined },
  resources: AsyncDisposableStack,
): Promise<void> {
  const command = promisify(execFile)(
    process.execPath,
    [...process.execArgv, operations, 'restore', folder, ...(force ? ['--force'] : [])],
    {
      env: {
        ...process.env,
        NODE_ENV: 'development',
        MONGODB_URL: servers.mongodbUrl,
        AMQP_URL: servers.brokerUrl,
        RABBITMQ_MANAGEMENT_URL: servers.managementUrl ?? '',
      },
    },
  );
  resources.defer(() => void command.child.kill());
  await command.catch(({ stderr }: { readonly stderr: string }) => {
    const [reason] = stderr.trimEnd().split('\n').slice(-1);
    throw new StackError(`The backup in ${folder} could not be restored: ${reason}`);
  });
}
