import { readdir, readFile } from 'node:fs/promises';
import { matchesGlob } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { serviceNames } from '@storefront/contracts';
import { passwordVariable, topologyConfig, usersConfig, usersOf } from '@storefront/operations';
import { describeConfig } from '@storefront/process';
import { readImports } from '../../scripts/imports.ts';
import { allServices } from '../../scripts/reference.ts';

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        environment?: Record<string, unknown>;
        build?: { args: { PACKAGE: string } };
        image?: string;
        command?: readonly string[];
        entrypoint?: readonly string[];
        profiles?: readonly string[];
        depends_on?: Record<string, { condition: string }>;
        ports?: readonly string[];
        volumes?: readonly string[];
        logging?: object;
      }
    >
  >;
}

const compose = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true }) as Compose;
// Set in the image itself.
const fromImage = new Set(['HOST', 'PORT', 'NODE_ENV']);
// Where the parts of the system find each other.
const fromCompose = /^(MONGODB_URL|AMQP_URL|SERVICES|OPERATIONS_PORT|UPSTREAM_[A-Z]+)$/;

it.each(allServices)(
  'docker-compose.yml lets the operator set every variable of $name, and has no default that the service has itself',
  ({ name, config }) => {
    const service = compose.services[name];
    expect(service?.build?.args.PACKAGE).toBe(name);
    const given = service?.environment ?? {};
    const variables = describeConfig(config).filter((variable) => !fromImage.has(variable.name));
    const names = Object.keys(given).filter((variable) => !fromImage.has(variable));
    expect(names.toSorted()).toEqual(variables.map((variable) => variable.name).toSorted());
    const wrong = variables.filter(({ name: variable, required }) => {
      const value = String(given[variable]);
      if (fromCompose.test(variable)) return value.includes(`\${${variable}`);
      const isAllowed = value.startsWith(`\${${variable}:`) && value.endsWith('}');
      return !isAllowed || (!required && value !== `\${${variable}:-}`);
    });
    expect(wrong.map((variable) => variable.name)).toEqual([]);
  },
);

it('every RabbitMQ hands over again after 10 s what went astray between its queues', async () => {
  const setting = '-rabbit dead_letter_worker_publisher_confirm_timeout 10000';
  const cluster = parse(await readFile('docker-compose.cluster.yml', 'utf8'), { merge: true }) as Compose;
  for (const { services } of [compose, cluster]) {
    const nodes = Object.entries(services).filter(([name]) => name.startsWith('rabbitmq'));
    expect(nodes.length).toBeGreaterThan(0);
    for (const [, { environment }] of nodes)
      expect(environment?.['RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS']).toContain(setting);
  }
});

it('docker-compose.yml gives each service a user of its own at MongoDB and at RabbitMQ', () => {
  for (const { name } of [...allServices, { name: 'order-system' }]) {
    const { MONGODB_URL, AMQP_URL } = compose.services[name]?.environment ?? {};
    const passwords = [...`${String(MONGODB_URL)} ${String(AMQP_URL)}`.matchAll(/([\w-]+):\$\{(\w+_PASSWORD_\w+):\?/g)];
    expect(passwords.map(([, user, variable]) => [user, variable])).toEqual(
      (['MongoDB', 'RabbitMQ'] as const)
        .filter((server) => usersOf[server].includes(name as never))
        .map((server) => [name, passwordVariable(server, name)]),
    );
  }
});

it('docker-compose.yml limits the logs of every container', () => {
  const logging = { driver: 'local', options: { 'max-size': '10m', 'max-file': '5' } };
  for (const [name, service] of Object.entries(compose.services))
    expect([name, service.logging]).toEqual([name, logging]);
});

it('docker-compose.yml has a place for pictures, which catalog only reads', () => {
  expect(compose.services['catalog']?.volumes).toEqual(['${PICTURES:-pictures}:/pictures:ro']);
});

it('docker-compose.yml lets the operator say which proxies the gateway trusts, and trusts none by itself', () => {
  expect(compose.services['gateway']?.environment).toMatchObject({ TRUST_PROXY: '${TRUST_PROXY:-}' });
});

it('docker-compose.yml gives the gateway the address of every service, and health which ones to watch', () => {
  const addresses = serviceNames.map((name) => [name, `http://${name}:8080`] as const);
  const upstreams = addresses.map(([name, address]) => [`UPSTREAM_${name.toUpperCase()}`, address]);
  expect(compose.services['gateway']?.environment).toMatchObject(Object.fromEntries(upstreams));

  const watched = [['gateway', 'http://gateway:9090'], ...addresses.filter(([name]) => name !== 'health')];
  const services = String(compose.services['health']?.environment?.['SERVICES']).split(',');
  expect(services.toSorted()).toEqual(watched.map((entry) => entry.join('=')).toSorted());
});

it('docker-compose.yml makes users and topology before any service starts', () => {
  const { prepare } = compose.services;
  const variables = new Set(describeConfig(usersConfig).map(({ name }) => name));
  expect(new Set(Object.keys(prepare?.environment ?? {}))).toEqual(variables);
  for (const { name } of describeConfig(topologyConfig)) expect(variables).toContain(name);
  for (const { name } of allServices)
    expect(compose.services[name]?.depends_on).toMatchObject({
      prepare: { condition: 'service_completed_successfully' },
    });

  // As package.json starts them, but compiled.
  expect(prepare).toMatchObject({ build: { args: { PACKAGE: 'operations' } } });
  expect(prepare?.command).toEqual(['sh', '-c', 'node dist/main.js users && exec node dist/main.js topology']);
});

it('every command of operators runs out of an image, and docs/operating.md says how', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const guide = await readFile('docs/operating.md', 'utf8');
  const commands = Object.entries(scripts).flatMap(([script, line]) => {
    const [, folder, file] = /bootstrap\.mjs (operations|services\/\w+)\/src\/(main|cli)\.ts/.exec(line) ?? [];
    return folder === undefined ? [] : [{ script, name: folder.replace('services/', ''), file }];
  });
  expect(commands.map(({ script }) => script)).toEqual(
    expect.arrayContaining(['identity', 'topology', 'dead-letters']),
  );
  for (const { script, name, file } of commands) {
    expect(compose.services[name]?.build?.args.PACKAGE).toBe(name);
    const run =
      file === 'main'
        ? `docker compose run --rm( --volume "[^"]+")? operations ${script}\\b`
        : `docker compose exec ${name} node dist/cli\\.js`;
    expect(guide).toMatch(new RegExp(run));
  }
  expect(compose.services['operations']?.entrypoint).toEqual(['node', '--enable-source-maps', 'dist/main.js']);
});

it('docker-compose.yml has no mailbox and no server in production', () => {
  const profiles = Object.entries(compose.services).flatMap(([name, { profiles: its }]) => (its ? [[name, its]] : []));
  expect(Object.fromEntries(profiles)).toEqual({
    operations: ['operations'],
    'order-system': ['operations'],
    mongodb: ['development', 'servers'],
    rabbitmq: ['development', 'servers'],
    mailpit: ['development'],
  });
});

it.each([...allServices, { name: 'prepare' }, { name: 'operations' }, { name: 'order-system' }])(
  'docker-compose.yml gives $name no more than it needs',
  ({ name }) => {
    expect(compose.services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: 100,
      // Catalog decodes uploaded pictures.
      mem_limit: name === 'catalog' ? '768m' : '256m',
    });
  },
);

it('docker-compose.yml opens only the gateway to other machines', () => {
  const open = Object.entries(compose.services).filter(([, { ports = [] }]) =>
    ports.some((port) => !port.startsWith('127.0.0.1:')),
  );
  expect(open.map(([name]) => name)).toEqual(['gateway']);
});

it('docker-bake.hcl has an image of each service, and of the commands of operators', async () => {
  const [, list = ''] = /service = \[(.+)\]/.exec(await readFile('docker-bake.hcl', 'utf8')) ?? [];
  const names = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => String(name));
  expect(new Set(names)).toEqual(new Set([...allServices.map(({ name }) => name), 'operations']));
});

it('every image of somebody else is named by its digest, and the base is the same for every way to build', async () => {
  const pinned = /^[a-z0-9./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;
  const others = Object.values(compose.services).flatMap(({ image, build }) => (image && !build ? [image] : []));
  expect(others).toHaveLength(3);
  for (const image of others) expect(image).toMatch(pinned);
  const [, base] = /^ARG BASE=(.+)$/m.exec(await readFile('Dockerfile', 'utf8')) ?? [];
  expect(base).toMatch(pinned);
  expect(await readFile('docker-bake.hcl', 'utf8')).toContain(`variable "BASE" { default = "${base}" }`);
});

it('what an image holds of each package is compiled, and nothing else', async () => {
  const folders = ['gateway', 'operations'];
  for (const parent of ['services', 'packages'])
    folders.push(...(await readdir(parent)).map((name) => `${parent}/${name}`));
  const development = new Set(['packages/backing', 'packages/demo-provider', 'packages/testing']);
  for (const folder of folders.filter((name) => !development.has(name)))
    expect([folder, JSON.parse(await readFile(`${folder}/package.json`, 'utf8')).files]).toEqual([folder, ['dist']]);
});

it('what runs in an image imports nothing that is not installed there', async () => {
  const missing: string[] = [];
  const dependencies = new Map<string, readonly string[]>();
  for (const { file, imported, isType } of await readImports()) {
    const folder = /^(gateway|operations|services\/[^/]+|packages\/[^/]+)\/src\//.exec(file)?.[1];
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(imported)?.[0] ?? '';
    if (folder === undefined || isType || file.endsWith('.test.ts') || !isPackage(imported)) continue;
    if (!dependencies.has(folder)) {
      const manifest = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
      dependencies.set(folder, [manifest.name, ...Object.keys(manifest.dependencies ?? {})]);
    }
    if (!dependencies.get(folder)?.includes(name)) missing.push(`${file}: ${name}`);
  }
  expect(missing).toEqual([]);
});

// A file of the project is named by its path from the root.
function isPackage(imported: string): boolean {
  return !imported.startsWith('node:') && !imported.endsWith('.ts');
}

it('lets an image be built of every package that the lockfile names', async () => {
  const { importers } = parse(await readFile('pnpm-lock.yaml', 'utf8')) as { importers: object };
  const lines = (await readFile('.dockerignore', 'utf8')).split('\n').filter((line) => line && !line.startsWith('#'));
  // The last line that fits counts; one for a folder is for all in it.
  const isGiven = (path: string) =>
    lines
      .findLast((line) => [line, `${line}/**`].some((pattern) => matchesGlob(path, pattern.replace('!', ''))))
      ?.startsWith('!');
  const manifests = Object.keys(importers).map((folder) => (folder === '.' ? '' : `${folder}/`) + 'package.json');
  expect(manifests.length).toBeGreaterThan(20);
  expect(manifests.filter((manifest) => !isGiven(manifest))).toEqual([]);
});
