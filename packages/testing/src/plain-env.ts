/**
 * The environment with which a test starts a process: where programs are and Node's compile cache, and nothing else of
 * the shell that runs the tests. Without the cache each start compiles everything again, which takes twice as long.
 */
export const plainEnv: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
