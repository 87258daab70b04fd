import { configDefaults, defineConfig } from 'vitest/config';
import LongestFirst from './scripts/longest-first.ts';

// The modules are loaded by Node itself, as in the services' own processes: Vite would transform each of them for each of the
// processes of the tests (docs/decisions/0091-tests-loaded-by-node.md).
const ofNode = (...flags: string[]) => ({
  execArgv: [
    // Packages are taken from their TypeScript source.
    '--conditions=source',
    '--disable-warning=ExperimentalWarning',
    `--import=${new URL('scripts/strip-once.mjs', import.meta.url).href}`,
    ...flags,
  ],
  experimental: { viteModuleRunner: false, nodeLoader: false },
});
const realHashes = ofNode();
// What runs in the process of a test hashes passwords at the lowest cost. `passwords.unit.test.ts` tests the real one, and what it
// means for the timing of answers is tested by files that run alone.
const cheapHashes = ofNode(`--import=${new URL('services/identity/test/cheap-argon2.ts', import.meta.url).href}`);
const folders = ['packages/*', 'services/*', 'examples/*', 'gateway', 'operations', 'stack', 'console'];
const inFolders = (kind: string) => [
  ...folders.map((folder) => `${folder}/**/*.${kind}.test.ts`),
  `test/**/*.${kind}.test.ts`,
];

// One asks for more than the machine can do; the other one measures differences of a millisecond, and what runs beside it would
// have it measure again and again.
const alone = ['test/overload.e2e.test.ts', 'test/attacks/enumeration.e2e.test.ts'];
// On two cores. The files are waiting a good part of the time, those of whole systems less.
const [workers, wholeSystems] = [6, 3];
// `npm run proof` sets it. Tests ask for it by `inject('isProof')`, and are ten to fifty times as long then.
const isProof = process.env.PROOF === 'yes';
// For what hangs. A machine with much else to do may be ten times as slow as one without.
const stretch = isProof ? 50 : 1;
const [patience, longPatience] = [120_000 * stretch, 300_000 * stretch];
// For a change to be judged once more where the machine was to blame; the output names each such test, to be mended first.
const retry = process.env.CI === 'true' ? 1 : 0;
const withServers = {
  globalSetup: './test/global-setup.ts',
  testTimeout: longPatience,
  hookTimeout: longPatience,
  retry,
};

export default defineConfig({
  test: {
    provide: { isProof },
    maxWorkers: workers,
    pool: 'forks',
    // Files share their processes, and what was loaded in them: each has databases and virtual hosts of its own, and the code
    // keeps nothing outside of what it starts. To load all of it for each file took a third of the processor's time.
    isolate: false,
    // Vitest has each process write what it has compiled before it ends. In a new clone they were seen to wait for the disk for
    // longer than the 10 s after which it complains.
    teardownTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './scripts/summary-reporter.ts'],
    projects: [
      { test: { ...realHashes, name: 'unit', include: inFolders('unit'), testTimeout: patience } },
      {
        test: {
          ...cheapHashes,
          name: 'int',
          include: inFolders('int'),
          ...withServers,
        },
      },
      {
        test: {
          ...cheapHashes,
          name: 'e2e',
          include: inFolders('e2e'),
          exclude: [...configDefaults.exclude, ...alone],
          ...withServers,
          maxWorkers: wholeSystems,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...realHashes,
          name: 'alone',
          include: alone,
          ...withServers,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
