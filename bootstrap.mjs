// The first step of every npm script: makes sure that the dependencies are installed as the lockfile says, then hands
// over to the script on the pinned Node. Needs nothing but Node 20 and npm, so it is plain JavaScript.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const { packageManager, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [major] = process.versions.node.split('.');
if (Number(major) < 20) {
  stop(
    `Node ${process.versions.node} is too old to begin with: install Node 20 or newer (any newer one will do, the project brings Node ${optionalDependencies.node} itself).`,
  );
}

const stamp = join(root, 'node_modules', '.installed');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'pnpm-lock.yaml')))
  .update(readFileSync(join(root, 'pnpm-workspace.yaml')))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  process.stderr.write('Installing the dependencies (once, and after an update) …\n');
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  const installed = spawnSync(npx, ['-y', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, npm_config_loglevel: 'error' },
  });
  if (installed.status !== 0)
    stop(
      'The dependencies could not be installed; what pnpm said stands above. Check the network and the registry, then try again.',
    );
  writeFileSync(stamp, wanted);
}

const node = join(root, 'node_modules', '.bin', 'node');
const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
if (version !== `v${optionalDependencies.node}`) {
  stop(
    `Node ${optionalDependencies.node} should be in node_modules but ${version ? `${version} is` : 'is not'}: remove node_modules and try again.`,
  );
}

const [script, ...args] = process.argv.slice(2);
// By default V8 lets the space of young objects grow to many times this before it looks for garbage in it, and, on a quick
// machine, the heap to four times what lives in it: a process that is busy for a while then keeps hundreds of megabytes
// (docs/decisions/0009-what-the-bench-changed.md).
const heap = ['--max-semi-space-size=8', '--heap-growing-percent=100'];
const child = spawn(
  node,
  ['--conditions=source', '--disable-warning=ExperimentalWarning', ...heap, join(root, script), ...args],
  {
    cwd: root,
    // The fourth is a channel on which the child notices that this process is gone, however it went.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
  },
);
// A terminal sends Ctrl-C to the whole group, `kill` only to this process: the child must hear of it once either way.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm itself can be killed without a word to this process: it is then somebody else's child. (The scripts of package.json
// say `exec`, so that no shell stands between the two and signals reach this process.)
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));

function stop(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
