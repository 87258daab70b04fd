// The borders between the parts of the system, as a check: who may import whom. Prints each crossing.
import { misplaced, violations } from './border-rules.ts';
import { readImports, readSources } from './imports.ts';

const sources = await Array.fromAsync(readSources());
const crossed = [...violations(await readImports()), ...misplaced(sources)];
for (const { file, rule, found } of crossed) process.stderr.write(`${file} ${found}: ${rule}\n`);
process.exit(crossed.length > 0 ? 1 : 0);
