// `npm run docs`: writes what is made from the code anew: docs/reference/, the tables of the services' READMEs and the types of
// packages/client. With `--check` it writes nothing, and fails where a file is not what the code says.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { generatedFiles } from './reference.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
for (const [file, text] of Object.entries(await generatedFiles())) {
  if (!values.check) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${file} is not what the code says: npm run docs\n`);
    process.exitCode = 1;
  }
}
