import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The environment of a command for development: variables that are not set are those of the system that `npm start` runs on
 * DATA_DIR (`.data` by default), as far as one runs and says so in its `running.json`.
 */
export function withRunningSystem(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const set = Object.entries(env).filter(([, value]) => value);
  return { ...readRunning(join(env.DATA_DIR || '.data', 'running.json')), ...Object.fromEntries(set) };
}

function readRunning(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}
