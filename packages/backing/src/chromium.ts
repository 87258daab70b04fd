import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** A Chromium of this machine: `CHROMIUM_PATH`, or one that is found on the path; null where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'];
  const mac = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...mac];
  return candidates.find((path) => existsSync(path)) ?? null;
}
