// `npm run docs`: writes the pages of docs/reference/ anew from the code.
import { writeFile } from 'node:fs/promises';
import { referencePages } from './reference.ts';

for (const [name, text] of Object.entries(await referencePages())) await writeFile(`docs/reference/${name}`, text);
