import type { Import } from './imports.ts';

export interface Violation {
  readonly file: string;
  readonly rule: string;
  /** What crosses the border: an import, or the words of a line. */
  readonly found: string;
}

interface Rule {
  readonly says: string;
  readonly forbids: (file: string, imported: string, isType: boolean) => boolean;
}

const isTest = (file: string) => /\.test\.ts$|(^|\/)test\//.test(file);
const serviceOf = (path: string) => /^services\/([^/]+)\//.exec(path)?.[1];
const folderOf = (path: string) => /^(?:services|packages)\/[^/]+\/|^[^/]+\//.exec(path)?.[0];
const packageOf = (imported: string) => /^@storefront\/([^/]+)/.exec(imported)?.[1];
const isOwnFile = (path: string) =>
  /^(services|packages|examples|gateway|operations|stack|bench|scripts|test)\//.test(path);

// Everything in services/ is a service, and so is what the stack names.
const shared = new Set([
  'access-token',
  'backing',
  'calendar',
  'catalog-copies',
  'checkout-client',
  'client',
  'contracts',
  'countries',
  'csv',
  'demo-provider',
  'documents',
  'http',
  'messaging',
  'money',
  'mongo',
  'process',
  'service',
  'testing',
  'user-data',
]);
/** Nothing of them is in an image. */
const development = new Set(['backing', 'demo-provider', 'testing']);
const transports = /^(fastify|@fastify\/.*|mongoose|mongodb|amqplib|smqp|undici|nodemailer)$/;
const infrastructure = new Set(['http', 'mongo', 'service', 'process']);

/** The rooms of a service, or of one of its areas. */
const rooms = ['routes', 'events', 'jobs', 'commands', 'domain', 'store'] as const;
/** What a service has beside the rooms: adapters to the outside that commands are given. */
const adapters = ['secrets', 'smtp', 'live', 'pictures', 'probes', 'providers'] as const;
type Room = (typeof rooms)[number] | (typeof adapters)[number];

const inService = /^services\/[^/]+\/src\/(.+)$/;
const frontFiles = /^(service|main|config|cli)\.ts$/;

/** The area of a service that a file is in; undefined for what several areas share, and where a service has no areas. */
function areaOf(path: string): { readonly folder: string; readonly front: string } | undefined {
  const [, folder, name] = /^(services\/[^/]+\/src\/([^/]+))\/.+/.exec(path) ?? [];
  const isRoom = [...rooms, ...adapters].some((room) => room === name);
  return folder === undefined || isRoom ? undefined : { folder, front: `${folder}/${name}.ts` };
}

/** The room that a file of a service is in; undefined for its front files and for what is no file of a service. */
function roomOf(path: string): Room | undefined {
  const folders = inService.exec(path)?.[1]?.split('/').slice(0, -1) ?? [];
  return folders.find((folder): folder is Room => [...rooms, ...adapters].some((room) => room === folder));
}

const isDomain = (file: string) => /\/src\/(?:[^/]+\/)?domain\//.test(file) && !isTest(file);

const between = (from: readonly Room[], to: readonly Room[]) => (file: string, imported: string) => {
  const [here, there] = [roomOf(file), roomOf(imported)];
  return !isTest(file) && here !== undefined && there !== undefined && from.includes(here) && to.includes(there);
};

const rules: readonly Rule[] = [
  {
    says: 'a domain decides; it knows no web framework, database or broker',
    forbids: (file, imported) =>
      isDomain(file) && (transports.test(imported) || infrastructure.has(packageOf(imported) ?? '')),
  },
  {
    says: 'a domain reads no environment and opens nothing',
    forbids: (file, imported) =>
      isDomain(file) && /^node:(fs|net|http|https|child_process|process|timers)/.test(imported),
  },
  {
    says: 'dependencies point at the domain, not from it',
    forbids: between(['domain'], ['routes', 'events', 'jobs', 'commands', 'store', ...adapters]),
  },
  {
    says: 'commands are called by routes, events and jobs; they call none of them',
    forbids: between(['commands'], ['routes', 'events', 'jobs']),
  },
  {
    says: 'commands, routes, events and jobs are given the store and the adapters: they import no more than their types',
    forbids: (file, imported, isType) =>
      !isType && between(['commands', 'routes', 'events', 'jobs'], ['store', ...adapters])(file, imported),
  },
  {
    says: 'the store and the adapters are called; they call no use case',
    forbids: between(['store', ...adapters], ['routes', 'events', 'jobs', 'commands']),
  },
  {
    says: 'routes and events know nothing of each other',
    forbids: (file, imported) =>
      between(['routes'], ['events'])(file, imported) || between(['events'], ['routes'])(file, imported),
  },
  {
    says: 'only the store knows the database driver, and only adapters the other transports',
    forbids: (file, imported, isType) =>
      !isTest(file) &&
      ((['routes', 'events', 'jobs', 'commands'].includes(roomOf(file) ?? '') &&
        (/^(mongoose|mongodb|amqplib|smqp|undici|nodemailer)$/.test(imported) ||
          (!isType && imported === '@storefront/mongo'))) ||
        (['events', 'jobs', 'commands'].includes(roomOf(file) ?? '') && /^(fastify|@fastify\/)/.test(imported))),
  },
  {
    says: 'an area of a service is imported by its front file only',
    forbids: (file, imported) => {
      const area = areaOf(imported);
      return area !== undefined && imported !== area.front && !file.startsWith(`${area.folder}/`) && !isTest(file);
    },
  },
  {
    says: 'a service knows contracts, never another service',
    forbids: (file, imported) => {
      const service = serviceOf(file);
      if (service === undefined || isTest(file)) return false;
      const other = packageOf(imported) ?? serviceOf(imported);
      return other !== undefined && other !== service && !shared.has(other);
    },
  },
  {
    says: 'the gateway knows services by their addresses only, and no database',
    forbids: (file, imported) => {
      if (!file.startsWith('gateway/') || isTest(file)) return false;
      const other = packageOf(imported);
      const isForeign = other !== undefined && (!shared.has(other) || ['mongo', 'service'].includes(other));
      return isForeign || imported.startsWith('services/') || /^(mongoose|mongodb)$/.test(imported);
    },
  },
  {
    says: 'a package is shared: it knows no service',
    forbids: (file, imported) =>
      file.startsWith('packages/') && !isTest(file) && !shared.has(packageOf(imported) ?? 'contracts'),
  },
  {
    says: 'HTTP and processes have no database behind them',
    forbids: (file, imported) =>
      /^packages\/(http|process|contracts|messaging)\//.test(file) &&
      !isTest(file) &&
      (imported === '@storefront/mongo' || /^(mongoose|mongodb)$/.test(imported)),
  },
  {
    says: 'production code does not reach for development and tests',
    forbids: (file, imported) =>
      /^(services|gateway|operations)\/.*\/?src\//.test(file) &&
      !isTest(file) &&
      development.has(packageOf(imported) ?? ''),
  },
  {
    says: 'another package is imported by its name, through its front door',
    forbids: (file, imported) =>
      imported.endsWith('.ts') &&
      !imported.startsWith('node:') &&
      isOwnFile(imported) &&
      folderOf(file) !== folderOf(imported) &&
      !isTest(file),
  },
  {
    says: 'an example knows the client alone, as a copy of it would',
    forbids: (file, imported) =>
      file.startsWith('examples/') && !isTest(file) && !['client', undefined].includes(packageOf(imported)),
  },
  {
    says: 'contracts depend on nothing of the project',
    forbids: (file, imported) => file.startsWith('packages/contracts/') && packageOf(imported) !== undefined,
  },
];

/** Every import that crosses a border, with the rule that it breaks. */
export function violations(imports: readonly Import[]): Violation[] {
  const broken = imports.flatMap(({ file, imported, isType = false }) =>
    rules
      .filter((rule) => rule.forbids(file, imported, isType))
      .map((rule) => ({ file, rule: rule.says, found: `imports ${imported}` })),
  );
  return [...broken, ...backwards(imports)];
}

/** Imports between areas that import each other, directly or by way of others. */
function backwards(imports: readonly Import[]): Violation[] {
  const between = imports.flatMap(({ file, imported }) => {
    const [from, to] = [areaOf(file), areaOf(imported)];
    return from && to && from.folder !== to.folder && !isTest(file)
      ? [{ file, imported, from: from.folder, to: to.folder }]
      : [];
  });
  const importedBy = Map.groupBy(between, ({ from }) => from);
  function reaches(from: string, to: string, seen = new Set<string>()): boolean {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (importedBy.get(from) ?? []).some((next) => reaches(next.to, to, seen));
  }
  return between
    .filter(({ from, to }) => reaches(to, from))
    .map(({ file, imported }) => ({
      file,
      rule: 'areas import each other in one direction only',
      found: `imports ${imported}, whose area imports this one`,
    }));
}

const asynchronous =
  /^(?!\s*(\/\/|\*|\/\*)).*(\basync\b|\bawait\b|\bPromise\b|\bsetTimeout\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b)/m;

/** Files of services that are in no layer, and domain files that are asynchronous, read the clock or use random numbers. */
export function misplaced(sources: readonly { readonly file: string; readonly code: string }[]): Violation[] {
  return sources.flatMap(({ file, code }): Violation[] => {
    const within = inService.exec(file)?.[1];
    if (within === undefined || isTest(file)) return [];
    const room = roomOf(file);
    if (room === undefined && !frontFiles.test(within) && areaOf(file)?.front !== file)
      return [{ file, rule: `a file of a service is in one of its rooms: ${rooms.join(', ')}`, found: 'is in none' }];
    const line = room === 'domain' ? asynchronous.exec(code)?.[0] : undefined;
    if (line === undefined) return [];
    return [{ file, rule: 'a domain is synchronous and pure: clock, ids and chance come in', found: line.trim() }];
  });
}
