import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The wall clocks of the instances, which can be set wrong while they run. */
export interface Clocks {
  /** The environment variables by which each instance gets its clock. */
  readonly env: Readonly<Record<string, string>>;
  /** Shifts the clock of one instance, also of its next process; 0 sets it right. */
  shift(instance: string, milliseconds: number): Promise<void>;
}

const preload = new URL('shifted-clock.ts', import.meta.url);

/** Keeps the shift of each clock in a file of `folder`. */
export async function createClocks(folder: string, instances: readonly string[]): Promise<Clocks> {
  await mkdir(folder, { recursive: true });
  const fileOf = (instance: string) => join(folder, instance);
  const optionsOf = (instance: string) => {
    const module = new URL(preload);
    module.searchParams.set('file', fileOf(instance));
    return `--import=${module.href}`;
  };
  return {
    env: Object.fromEntries(
      instances.map((instance) => [
        `NODE_OPTIONS_${instance.toUpperCase().replaceAll('-', '_')}`,
        [process.env.NODE_OPTIONS, optionsOf(instance)].filter(Boolean).join(' '),
      ]),
    ),
    async shift(instance, milliseconds) {
      await writeFile(`${fileOf(instance)}.new`, String(milliseconds));
      await rename(`${fileOf(instance)}.new`, fileOf(instance));
    },
  };
}
