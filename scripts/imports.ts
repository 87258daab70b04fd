import { readFile } from 'node:fs/promises';
import { glob } from 'node:fs/promises';

/** One import: the importing file and what it names, both relative to the project's root where they are files. */
export interface Import {
  readonly file: string;
  readonly imported: string;
}

const statement = /\b(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** Every import of every TypeScript file of the project's own, generated and built files left out. */
export async function readImports(): Promise<Import[]> {
  const found: Import[] = [];
  const folders = '{gateway,stack,services,packages,test,bench,scripts}/**/*.ts';
  for await (const file of glob(folders, { exclude: (name) => /(^|\/)(node_modules|dist|generated)$/.test(name) })) {
    if (/(^|\/)(node_modules|dist|generated)\//.test(file)) continue;
    const code = await readFile(file, 'utf8');
    for (const match of code.matchAll(statement)) {
      const name = match[1] ?? match[2] ?? '';
      found.push({ file, imported: name.startsWith('.') ? resolve(file, name) : name });
    }
  }
  return found;
}

function resolve(file: string, relative: string): string {
  return new URL(relative, `file:///${file}`).pathname.slice(1);
}
