// Loaded by bootstrap.mjs before everything else. What Node removes the types with takes 25 MB for as long as a process
// lives. Here the modules without their types are kept on disk, so that only the first start after a change needs it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL(`../node_modules/.cache/stripped-${process.version}/`, import.meta.url));
mkdirSync(folder, { recursive: true });

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
    return { format: 'module', source: stripped(url), shortCircuit: true };
  },
});

// Types are replaced by spaces, so lines and columns in stack traces are those of the source.
function stripped(url) {
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const mark = `\n// ${digest(source)}`;
  const file = folder + digest(url);
  const kept = readIfThere(file);
  if (kept?.endsWith(mark)) return kept;
  const code = stripTypeScriptTypes(source) + mark;
  // Several processes may start at once, and a process may be killed while it writes.
  writeFileSync(`${file}.${process.pid}`, code);
  renameSync(`${file}.${process.pid}`, file);
  return code;
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
