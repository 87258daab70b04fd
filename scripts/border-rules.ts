import type { Import } from './imports.ts';

export interface Violation extends Import {
  readonly rule: string;
}

interface Rule {
  readonly says: string;
  readonly forbids: (file: string, imported: string) => boolean;
}

const isTest = (file: string) => /\.test\.ts$|(^|\/)test\//.test(file);
const serviceOf = (path: string) => /^services\/([^/]+)\//.exec(path)?.[1];
const folderOf = (path: string) => /^(?:services|packages)\/[^/]+\/|^[^/]+\//.exec(path)?.[0];
const services = ['identity', 'account', 'catalog', 'engagement', 'billing', 'health'];
const packageOf = (imported: string) => /^@storefront\/([^/]+)/.exec(imported)?.[1];
const transports = /^(fastify|@fastify\/.*|mongoose|mongodb|amqplib|smqp|undici|nodemailer)$/;

const rules: readonly Rule[] = [
  {
    says: 'a domain decides; it knows no web framework, database or broker',
    forbids: (file, imported) => file.includes('/src/domain/') && !isTest(file) && transports.test(imported),
  },
  {
    says: 'a domain reads no environment and opens nothing',
    forbids: (file, imported) =>
      file.includes('/src/domain/') &&
      !isTest(file) &&
      /^node:(fs|net|http|https|child_process|process)/.test(imported),
  },
  {
    says: 'dependencies point at the domain, not from it',
    forbids: (file, imported) =>
      /^services\/[^/]+\/src\/domain\//.test(file) &&
      !isTest(file) &&
      /^services\/[^/]+\/src\/(routes|store|events)\//.test(imported),
  },
  {
    says: 'routes and event handlers ask the store and the domain, not the database driver',
    forbids: (file, imported) =>
      /^services\/[^/]+\/src\/(routes|events)\//.test(file) && /^(mongoose|mongodb|amqplib|smqp)$/.test(imported),
  },
  {
    says: 'a service knows contracts, never a neighbour',
    forbids: (file, imported) => {
      const service = serviceOf(file);
      if (service === undefined || isTest(file)) return false;
      const other = packageOf(imported) ?? serviceOf(imported);
      return (
        other !== undefined &&
        other !== service &&
        (services.includes(other) || other === 'gateway' || other === 'stack')
      );
    },
  },
  {
    says: 'the gateway knows services by their addresses only',
    forbids: (file, imported) =>
      file.startsWith('gateway/') &&
      !isTest(file) &&
      (services.includes(packageOf(imported) ?? '') || imported.startsWith('services/')),
  },
  {
    says: 'a package is shared: it knows no service',
    forbids: (file, imported) =>
      file.startsWith('packages/') &&
      !isTest(file) &&
      [...services, 'gateway', 'stack'].includes(packageOf(imported) ?? ''),
  },
  {
    says: 'production code does not reach for development and tests',
    forbids: (file, imported) =>
      /^(services|gateway)\/.*\/?src\//.test(file) &&
      !isTest(file) &&
      ['backing', 'testing'].includes(packageOf(imported) ?? ''),
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
    says: 'contracts depend on nothing of the project',
    forbids: (file, imported) => file.startsWith('packages/contracts/') && packageOf(imported) !== undefined,
  },
];

const isOwnFile = (path: string) => /^(services|packages|gateway|stack|bench|scripts|test)\//.test(path);

/** Every import that crosses a border, with the rule that it breaks. */
export function violations(imports: readonly Import[]): Violation[] {
  return imports.flatMap(({ file, imported }) =>
    rules.filter((rule) => rule.forbids(file, imported)).map((rule) => ({ file, imported, rule: rule.says })),
  );
}
