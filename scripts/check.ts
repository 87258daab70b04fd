// `npm run check`: everything that can be said about the code without running it. All of it is looked at, then the
// verdict is given, so that one run shows everything there is to mend.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const services = readdirSync('services').map((name) => `services/${name}`);
const built = ['gateway', 'operations', 'packages/client', ...services];

const checks: readonly [what: string, command: string, ...args: string[]][] = [
  ['format', 'oxfmt', '--check', '.'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', '.'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
  // Of a browser and a bundler, not of Node.
  ['types of the console', 'tsc', '-p', 'console/tsconfig.json'],
  ['types of its tests', 'tsc', '-p', 'console/test/tsconfig.json'],
  // As the images are built: each package sees of the others only what they export.
  ['build', 'tsc', '-b', ...built],
  // The linter would look into what was built rather than into the sources.
  ['removal of the build', 'tsc', '-b', '--clean', ...built],
  ['borders', 'node', '--conditions=source', 'scripts/borders.ts'],
  ['generated files', 'node', '--conditions=source', 'scripts/write-docs.ts', '--check'],
  ['API document', 'node', '--conditions=source', 'scripts/lint-api.ts'],
  ['Kubernetes', 'node', '--conditions=source', 'scripts/check-kubernetes.ts'],
  ['dead code', 'knip'],
];

const failed = checks.filter(([what, command, ...args]) => {
  process.stderr.write(`${what} …\n`);
  return spawnSync(command, args, { stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  process.stderr.write(`Not right yet: ${failed.map(([what]) => what).join(', ')}\n`);
  process.exit(1);
}
process.stderr.write('All checks passed\n');
