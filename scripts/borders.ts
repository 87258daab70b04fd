// The borders between the parts of the system, as a check: who may import whom. Prints each import that crosses one.
import { readImports } from './imports.ts';
import { violations } from './border-rules.ts';

const crossed = violations(await readImports());
for (const { file, imported, rule } of crossed) process.stderr.write(`${file} imports ${imported}: ${rule}\n`);
process.exit(crossed.length > 0 ? 1 : 0);
