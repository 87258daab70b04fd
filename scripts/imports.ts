import { glob, readFile } from 'node:fs/promises';

/** An import: the importing file and the imported name. Paths are relative to the root of the project. */
export interface Import {
  readonly file: string;
  readonly imported: string;
  /** Nothing of it is left when the program runs. */
  readonly isType?: boolean;
}

const statement =
  /\b(?:import|export)\s(type\s)?(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** Every TypeScript file of the project's own with its text, generated and built files left out. */
export async function* readSources(): AsyncGenerator<{ file: string; code: string }> {
  const folders = '{gateway,operations,stack,services,packages,examples,test,bench,scripts}/**/*.ts';
  for await (const file of glob(folders, { exclude: (name) => /(^|\/)(node_modules|dist|generated)$/.test(name) })) {
    if (/(^|\/)(node_modules|dist|generated)\//.test(file)) continue;
    yield { file, code: await readFile(file, 'utf8') };
  }
}

/** Every import of every source file. */
export async function readImports(): Promise<Import[]> {
  const found: Import[] = [];
  for await (const { file, code } of readSources()) {
    for (const [, type, name, dynamic] of code.matchAll(statement)) {
      const imported = name ?? dynamic ?? '';
      const path = imported.startsWith('.') ? resolve(file, imported) : imported;
      found.push({ file, imported: path, isType: type !== undefined });
    }
  }
  return found;
}

function resolve(file: string, relative: string): string {
  return new URL(relative, `file:///${file}`).pathname.slice(1);
}
