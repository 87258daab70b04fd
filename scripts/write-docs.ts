// `npm run docs`: writes what documents say of the code anew: docs/reference/ and the tables of the services' READMEs.
import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './reference.ts';

for (const [file, text] of Object.entries(await generatedFiles())) await writeFile(file, text);
