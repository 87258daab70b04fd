import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the environment for a development command. Variables that are not set come from the system that `npm start`
 * runs on DATA_DIR (`.data` by default), if one is running. They are read from its `running.json`.
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
