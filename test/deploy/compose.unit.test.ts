import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { serviceNames } from '@storefront/contracts';
import { describeConfig } from '@storefront/process';
import { topologyConfig } from '@storefront/service';
import { allServices } from '../../scripts/reference.ts';

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        environment?: Record<string, unknown>;
        build?: { args: { PACKAGE: string } };
        command?: readonly string[];
        depends_on?: Record<string, { condition: string }>;
        ports?: readonly string[];
      }
    >
  >;
}

const compose = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true }) as Compose;
// Set in the image itself.
const fromImage = ['HOST', 'PORT', 'NODE_ENV'];

it.each(allServices)(
  'docker-compose.yml gives $name every variable that it requires, and none that it does not have',
  ({ name, config }) => {
    const service = compose.services[name];
    expect(service?.build?.args.PACKAGE).toBe(name);
    const given = [...Object.keys(service?.environment ?? {}), ...fromImage];
    const variables = describeConfig(config);
    const required = variables.filter((variable) => variable.required).map((variable) => variable.name);
    // A process of its own has no bus to share.
    if (variables.some((variable) => variable.name === 'AMQP_URL')) required.push('AMQP_URL');
    expect(given).toEqual(expect.arrayContaining(required));
    expect(variables.map((variable) => variable.name)).toEqual(expect.arrayContaining(given));
  },
);

it('docker-compose.yml lets the operator say which proxies the gateway trusts, and trusts none by itself', () => {
  expect(compose.services['gateway']?.environment).toMatchObject({ TRUST_PROXY: '${TRUST_PROXY:-}' });
});

it('docker-compose.yml tells the gateway where every service is, and health which ones to watch', () => {
  const addresses = serviceNames.map((name) => [name, `http://${name}:8080`] as const);
  const upstreams = addresses.map(([name, address]) => [`UPSTREAM_${name.toUpperCase()}`, address]);
  expect(compose.services['gateway']?.environment).toMatchObject(Object.fromEntries(upstreams));

  const watched = [['gateway', 'http://gateway:9090'], ...addresses.filter(([name]) => name !== 'health')];
  const services = String(compose.services['health']?.environment?.['SERVICES']).split(',');
  expect(services.toSorted()).toEqual(watched.map((entry) => entry.join('=')).toSorted());
});

it('docker-compose.yml puts the topology onto the broker before any service starts', async () => {
  const topology = compose.services['topology'];
  const variables = describeConfig(topologyConfig);
  expect(variables.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(topology?.environment ?? {})));
  expect(Object.keys(topology?.environment ?? {})).toEqual(
    expect.arrayContaining(['AMQP_URL', 'RABBITMQ_MANAGEMENT_URL']),
  );
  for (const { name } of allServices)
    expect(compose.services[name]?.depends_on).toMatchObject({
      topology: { condition: 'service_completed_successfully' },
    });

  // The command is a compiled file of a package that the image has.
  const image = topology?.build?.args.PACKAGE;
  const packageFile = await readFile(`services/${image}/package.json`, 'utf8');
  const [, library, file] =
    /^node_modules\/(@storefront\/\w+)\/dist\/(\w+)\.js$/.exec(topology?.command?.[1] ?? '') ?? [];
  expect(JSON.parse(packageFile)).toMatchObject({ dependencies: { [String(library)]: 'workspace:*' } });
  expect(existsSync(`packages/${library?.split('/')[1]}/src/${file}.ts`)).toBe(true);
});

it.each(allServices)('docker-compose.yml gives $name no more than it needs', ({ name }) => {
  expect(compose.services[name]).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    pids_limit: 100,
    mem_limit: '256m',
  });
});

it('docker-compose.yml opens only the gateway to other machines', () => {
  const open = Object.entries(compose.services).filter(([, { ports = [] }]) =>
    ports.some((port) => !port.startsWith('127.0.0.1:')),
  );
  expect(open.map(([name]) => name)).toEqual(['gateway']);
});

it('docker-bake.hcl has an image of each service', async () => {
  const [, list = ''] = /service = \[(.+)\]/.exec(await readFile('docker-bake.hcl', 'utf8')) ?? [];
  const names = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => String(name));
  expect(new Set(names)).toEqual(new Set(allServices.map(({ name }) => name)));
});

it('what an image holds of each package is compiled, and nothing else', async () => {
  const folders = ['gateway'];
  for (const parent of ['services', 'packages'])
    folders.push(...(await readdir(parent)).map((name) => `${parent}/${name}`));
  const development = new Set(['packages/backing', 'packages/demo-provider', 'packages/testing']);
  for (const folder of folders.filter((name) => !development.has(name)))
    expect([folder, JSON.parse(await readFile(`${folder}/package.json`, 'utf8')).files]).toEqual([folder, ['dist']]);
});
