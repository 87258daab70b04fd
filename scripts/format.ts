// `npm run format`: writes every file the way `npm run check` wants it.
import { spawnSync } from 'node:child_process';

process.exit(spawnSync('oxfmt', ['.'], { stdio: 'inherit' }).status ?? 1);
