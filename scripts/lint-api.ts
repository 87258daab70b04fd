// The API document, as a check: `redocly lint` with its recommended rules. Needs no network.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api, operations, type OperationSpec } from '@storefront/contracts';
import { openApiDocument } from '@storefront/http';

const config = {
  extends: ['recommended'],
  // It compares the names of path parameters only. gateway/src/domain/route-table.unit.test.ts checks their values too.
  rules: { 'no-ambiguous-paths': 'off' },
};
const all = Object.values(operations).flatMap((group) => Object.values<OperationSpec>(group));

const folder = await mkdtemp(join(tmpdir(), 'storefront-api-'));
try {
  const document = openApiDocument(all, { ...api, version: '0.0.0' });
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document, null, 2));
  // JSON is YAML too.
  await writeFile(join(folder, 'redocly.yaml'), JSON.stringify(config));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { status, stdout, stderr } = spawnSync('redocly', ['lint', 'openapi.json', '--max-problems=100'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  // Redocly exits with 0 where there are warnings only.
  if (status !== 0 || /\bwarnings?\b/i.test(stdout + stderr)) {
    process.stderr.write(stdout + stderr);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true });
}
