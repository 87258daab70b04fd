// The first step of every npm script: installs the dependencies when the lockfile has changed, then runs the script on
// the pinned Node. It must run on any Node from version 20 without dependencies, so it is plain JavaScript.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const { packageManager, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [major] = process.versions.node.split('.');
if (Number(major) < 20) {
  fail(
    `Node ${process.versions.node} is too old to begin with: install Node 20 or newer (any newer one will do, the project brings Node ${optionalDependencies.node} itself).`,
  );
}

// Holds the hash of the lockfile that was installed last.
const stamp = join(root, 'node_modules', '.installed');
const lockHash = createHash('sha256')
  .update(readFileSync(join(root, 'pnpm-lock.yaml')))
  .update(readFileSync(join(root, 'pnpm-workspace.yaml')))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockHash) {
  process.stderr.write('Installing the dependencies (once, and after an update) …\n');
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  const installed = spawnSync(npx, ['-y', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, npm_config_loglevel: 'error' },
  });
  if (installed.status !== 0)
    fail(
      'The dependencies could not be installed; what pnpm said stands above. Check the network and the registry, then try again.',
    );
  writeFileSync(stamp, lockHash);
}

const node = join(root, 'node_modules', '.bin', 'node');
const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
if (version !== `v${optionalDependencies.node}`) {
  fail(
    `Node ${optionalDependencies.node} should be in node_modules but ${version ? `${version} is` : 'is not'}: remove node_modules and try again.`,
  );
}

const [script, ...args] = process.argv.slice(2);
// The largest semi-space of V8's young generation, in MB, and by how much the heap may grow until V8 collects all of it
// again. Without them the process keeps some 150 MB more after load, each; smaller values make requests wait
// (docs/decisions/0009-what-the-bench-changed.md).
const heap = ['--max-semi-space-size=16', '--heap-growing-percent=100'];
const types = ['--import', pathToFileURL(join(root, 'scripts', 'strip-once.mjs')).href];
const child = spawn(
  node,
  ['--conditions=source', '--disable-warning=ExperimentalWarning', ...types, ...heap, join(root, script), ...args],
  {
    cwd: root,
    // The child gets a disconnect event on the ipc channel when this process ends, even by SIGKILL.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
  },
);
// A terminal sends Ctrl-C to the whole process group, `kill` only to this process. The child handles a repeated signal
// once, so passing each on is safe.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// When npm itself is killed, this process gets no signal, only another parent. (The scripts in package.json use `exec`,
// so that npm is the direct parent and its signals reach this process.)
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
