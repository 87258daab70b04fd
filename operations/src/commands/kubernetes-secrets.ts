// Splits the secrets of a deployment into one file for each service. Kustomize makes a Secret of each file.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCommandLine } from '@storefront/process';
import type { Command } from '../command.ts';
import { splitSecrets } from '../split-secrets.ts';

const usage = `Splits the secrets of a deployment into a file for each service, so that each gets what it needs and nothing else.

  kubernetes-secrets --from <file> [--to <folder>]

    <file> is what the command secrets prints, with the addresses of the servers added: MONGODB_URL, AMQP_URL and
    SMTP_URL; RABBITMQ_MANAGEMENT_URL for the policies. NAME_IDENTITY and so on is for one service alone and goes
    before NAME. A MONGODB_URL for all names no database. The folder is deploy/kubernetes/shop/secrets by default
`;

export const kubernetesSecrets: Command = {
  summary: 'splits the secrets of a deployment into a file for each service',
  async run(args) {
    const options = { from: { type: 'string' }, to: { type: 'string' } } as const;
    const { values } = readCommandLine(usage, options, args);
    if (values.from === undefined) throw new Error(usage);
    const { parts, missing } = splitSecrets(await readFile(values.from, 'utf8'));
    if (missing.length > 0) throw new Error(`${values.from} lacks:\n${missing.map((each) => `  ${each}\n`).join('')}`);
    await writeSecrets(parts, values.to ?? 'deploy/kubernetes/shop/secrets');
  },
};

async function writeSecrets(parts: Readonly<Record<string, Readonly<Record<string, string>>>>, folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [part, variables] of Object.entries(parts)) {
    const file = join(folder, `${part}.env`);
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
    // Kustomize expects values without quotes.
    await writeFile(file, lines.join(''), { mode: 0o600 });
    process.stdout.write(`${file}: ${Object.keys(variables).join(', ')}\n`);
  }
}
