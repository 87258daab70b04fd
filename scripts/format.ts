// `npm run format`: formats every file as `npm run check` requires.
import { spawnSync } from 'node:child_process';

process.exit(spawnSync('oxfmt', ['.'], { stdio: 'inherit' }).status ?? 1);
