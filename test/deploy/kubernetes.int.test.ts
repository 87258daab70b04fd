import { serviceNames } from '@storefront/contracts';
import { splitSecrets, topologyConfig } from '@storefront/operations';
import { describeConfig, loadConfig } from '@storefront/process';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  exampleSecrets,
  findRenderer,
  overlays,
  renderOverlays,
  type Manifest,
  type Overlay,
  type Renderer,
} from '../../scripts/kubernetes.ts';
import { allServices } from '../../scripts/reference.ts';

interface Container {
  name: string;
  image: string;
  command?: string[];
  ports?: { name: string; containerPort: number }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env?: unknown;
  resources: unknown;
  securityContext: unknown;
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: unknown;
}
interface Probe {
  httpGet: { path: string; port: string };
}
interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    initContainers?: unknown;
    volumes?: unknown;
    topologySpreadConstraints: { topologyKey: string }[];
    terminationGracePeriodSeconds: number;
  };
}
interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: 'In' | 'NotIn'; values: string[] }[];
}
interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string };
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports: { port: number | string; protocol?: string }[];
}
interface Policy {
  podSelector: Selector;
  policyTypes: string[];
  ingress?: Rule[];
  egress?: Rule[];
}

// Set in the image itself.
const fromImage = ['HOST', 'PORT', 'NODE_ENV'];
const inImage = { HOST: '0.0.0.0', PORT: '8080', NODE_ENV: 'production' };

let renderer: Renderer | string;
let secrets: string;
let rendered: Record<Overlay, Manifest[]>;

beforeAll(async () => {
  renderer = await findRenderer((line) => void process.stderr.write(`${line}\n`)).catch(
    (error: unknown) => `There is no kubectl here: ${String(error)}`,
  );
  if (typeof renderer === 'string') return;
  secrets = await exampleSecrets();
  rendered = await renderOverlays(renderer, secrets);
});

beforeEach(({ skip }) => {
  if (typeof renderer === 'string') skip(renderer);
});

describe.each(overlays)('the overlay %s', (overlay) => {
  const all = (kind: string) => rendered[overlay].filter((manifest) => manifest.kind === kind);
  function one<Spec>(kind: string, name: string): Spec {
    const found = all(kind).filter(({ metadata }) => metadata.name === name);
    expect(found, `${kind} ${name}`).toHaveLength(1);
    return (found[0] as unknown as { spec: Spec }).spec;
  }
  const podOf = (name: string) => one<{ template: Pod }>(name === 'topology' ? 'Job' : 'Deployment', name).template;
  const containerOf = (name: string): Container => {
    const { containers } = podOf(name).spec;
    expect(containers).toHaveLength(1);
    return containers[0] as Container;
  };
  const everything = [...allServices.map(({ name }) => name), 'topology'];

  /** What Kubernetes makes of `envFrom`: of two with the same variable the later one counts. */
  function environmentOf(name: string): Record<string, string> {
    const { env, envFrom } = containerOf(name);
    expect(env).toBeUndefined();
    return Object.assign({}, ...envFrom.map(dataOf)) as Record<string, string>;
  }
  function dataOf({ configMapRef, secretRef }: Container['envFrom'][number]): Record<string, string> {
    const [kind, ref] = configMapRef ? ['ConfigMap', configMapRef.name] : ['Secret', secretRef?.name];
    const found = all(kind).find(({ metadata }) => metadata.name === ref) as
      | { data?: Record<string, string> }
      | undefined;
    expect(found, `${kind} ${ref}`).toBeDefined();
    const entries = Object.entries(found?.data ?? {});
    if (kind === 'ConfigMap') return Object.fromEntries(entries);
    return Object.fromEntries(entries.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
  }
  const ownDataOf = (name: string) =>
    Object.assign(
      {},
      ...containerOf(name)
        .envFrom.filter(({ configMapRef }) => !configMapRef?.name.startsWith('shop-'))
        .map(dataOf),
    ) as Record<string, string>;

  it('has every service, and nothing that is none', () => {
    const names = all('Deployment').map(({ metadata }) => metadata.name);
    expect(names.toSorted()).toEqual(allServices.map(({ name }) => name).toSorted());
    expect(all('Job').map(({ metadata }) => metadata.name)).toEqual(['topology']);
  });

  it('puts all of it into the namespace, which takes restricted pods alone', () => {
    for (const { kind, metadata } of rendered[overlay])
      expect([kind, metadata.name, kind === 'Namespace' ? metadata.name : metadata.namespace]).toEqual([
        kind,
        metadata.name,
        'storefront',
      ]);
    expect(all('Namespace')[0]?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  it.each(allServices)(
    'gives $name variables that it starts with, and none of its own that it does not have',
    (service) => {
      const variables = describeConfig(service.config).map(({ name }) => name);
      const given = environmentOf(service.name);
      expect([...variables, ...fromImage]).toEqual(expect.arrayContaining(Object.keys(ownDataOf(service.name))));
      // Only the seller's own can stand on invoices.
      const seller = service.name === 'billing' ? { SELLER_ADDRESS: 'Hamburg', SELLER_VAT_NUMBER: 'DE987654321' } : {};
      expect(() => loadConfig(service.config, { ...inImage, ...given, ...seller })).not.toThrow();
      // A process of its own has no bus to share.
      expect('AMQP_URL' in given).toBe(variables.includes('AMQP_URL'));
    },
  );

  it('gives all of them the settings that some of them need, and none that nobody knows', () => {
    const variables = new Set(allServices.flatMap(({ config }) => describeConfig(config).map(({ name }) => name)));
    const shop = all('ConfigMap').find(({ metadata }) => metadata.name.startsWith('shop-'));
    expect([...variables]).toEqual(expect.arrayContaining(Object.keys((shop as unknown as { data: object }).data)));
    for (const { name } of allServices)
      expect(containerOf(name).envFrom[0]?.configMapRef?.name).toBe(shop?.metadata.name);
  });

  it('gives the gateway the address of every service, and health those that it watches', () => {
    const portOf = (name: string) => {
      const { selector, ports } = one<{
        selector: Record<string, string>;
        ports: { port: number; targetPort: string }[];
      }>('Service', name);
      const [port] = ports;
      expect(ports).toHaveLength(1);
      const owner = name === 'gateway-operations' ? 'gateway' : name;
      expect(podOf(owner).metadata.labels).toMatchObject(selector);
      expect(containerOf(owner).ports).toContainEqual({ name: port?.targetPort, containerPort: port?.port });
      return `http://${name}:${port?.port}`;
    };
    const gateway = environmentOf('gateway');
    for (const name of serviceNames) expect(gateway[`UPSTREAM_${name.toUpperCase()}`]).toBe(portOf(name));
    const operations = portOf('gateway-operations');
    expect(operations).toBe(`http://gateway-operations:${gateway['OPERATIONS_PORT']}`);
    const watched = serviceNames.filter((name) => name !== 'health').map((name) => `${name}=${portOf(name)}`);
    expect(environmentOf('health')['SERVICES']?.split(',').toSorted()).toEqual(
      [`gateway=${operations}`, ...watched].toSorted(),
    );
    // A name with all instances behind it, and one address of the gateway.
    const isHeadless = (name: string) => one<{ clusterIP?: string }>('Service', name).clusterIP === 'None';
    expect(serviceNames.filter((name) => !isHeadless(name))).toEqual([]);
    expect(isHeadless('gateway')).toBe(false);
    expect(portOf('gateway')).toBe('http://gateway:8080');
  });

  it('has the secrets of each service in a Secret of its own, and in nothing else', () => {
    const { parts } = splitSecrets(secrets);
    expect(Object.keys(parts).toSorted()).toEqual(everything.toSorted());
    for (const name of everything) {
      const [secret, ...others] = containerOf(name).envFrom.filter(({ secretRef }) => secretRef);
      expect(others).toEqual([]);
      expect(secret?.secretRef?.name).toMatch(new RegExp(`^${name}-`));
      expect(dataOf(secret ?? {})).toEqual(parts[name]);
    }
    expect(all('Secret')).toHaveLength(everything.length);
    const plain = JSON.stringify(rendered[overlay].filter(({ kind }) => kind !== 'Secret'));
    const values = Object.values(parts).flatMap((part) => Object.values(part));
    expect(values.filter((value) => plain.includes(JSON.stringify(value).slice(1, -1)))).toEqual([]);
  });

  const memoryOf = (name: string) => {
    // It decodes uploaded pictures.
    if (name === 'catalog') return overlay === 'large' ? '1Gi' : '768Mi';
    return overlay === 'large' && name !== 'topology' ? '512Mi' : '256Mi';
  };

  it.each(everything)('lets %s do no more than it needs', (name) => {
    const { spec } = podOf(name);
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect([spec.initContainers, spec.volumes]).toEqual([undefined, undefined]);
    expect(containerOf(name)).toMatchObject({
      name: 'main',
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: {
        requests: { cpu: expect.any(String), memory: overlay === 'large' && name !== 'topology' ? '256Mi' : '128Mi' },
        limits: { memory: memoryOf(name) },
      },
    });
  });

  it.each(allServices)('starts, watches, replaces and ends $name without a request being lost', ({ name }) => {
    const port = name === 'gateway' ? 'operations' : 'http';
    const { startupProbe, livenessProbe, readinessProbe, lifecycle, ports } = containerOf(name);
    expect(startupProbe).toMatchObject({ httpGet: { path: '/livez', port } });
    expect(livenessProbe).toMatchObject({ httpGet: { path: '/livez', port } });
    expect(readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port }, periodSeconds: 2 });
    expect(ports?.map((each) => each.name)).toContain(port);
    expect(lifecycle).toEqual({ preStop: { sleep: { seconds: 3 } } });
    expect(podOf(name).spec.terminationGracePeriodSeconds).toBe(20);
    expect(one<{ strategy: unknown }>('Deployment', name).strategy).toMatchObject({
      rollingUpdate: { maxUnavailable: 0 },
    });
    const budget = one<{ maxUnavailable: number; selector: Selector }>('PodDisruptionBudget', name);
    expect(budget.maxUnavailable).toBe(1);
    expect(selects(budget.selector, podOf(name).metadata.labels)).toBe(true);
    for (const other of everything.filter((each) => each !== name))
      expect(selects(budget.selector, podOf(other).metadata.labels), other).toBe(false);
  });

  it('makes as many of each as its size says', () => {
    const sizes = allServices.map(({ name }) => {
      const { replicas = 'unsaid' } = one<{ replicas?: number }>('Deployment', name);
      const growing = all('HorizontalPodAutoscaler').find(({ metadata }) => metadata.name === name);
      if (growing === undefined) return [name, replicas];
      const { spec } = growing as unknown as {
        spec: { minReplicas: number; maxReplicas: number; scaleTargetRef: { kind: string; name: string } };
      };
      const { scaleTargetRef: scaled } = spec;
      return [name, `${replicas}: ${scaled.kind} ${scaled.name} from ${spec.minReplicas} to ${spec.maxReplicas}`];
    });
    // A number that is said would undo with each `kubectl apply` what the autoscaler has done.
    expect(Object.fromEntries(sizes)).toEqual(
      overlay === 'small'
        ? Object.fromEntries(allServices.map(({ name }) => [name, 'unsaid']))
        : {
            gateway: 'unsaid: Deployment gateway from 3 to 20',
            identity: 'unsaid: Deployment identity from 3 to 12',
            catalog: 'unsaid: Deployment catalog from 3 to 12',
            engagement: 'unsaid: Deployment engagement from 3 to 12',
            account: 3,
            billing: 3,
            orders: 3,
            health: 2,
          },
    );
    const spread = allServices.map(({ name }) =>
      podOf(name).spec.topologySpreadConstraints.map(({ topologyKey }) => topologyKey),
    );
    const over = overlay === 'small' ? [] : ['topology.kubernetes.io/zone'];
    expect(spread).toEqual(allServices.map(() => [...over, 'kubernetes.io/hostname']));
  });

  it('puts the topology onto the broker by the commands of operators, in a step that can be taken by itself', () => {
    // As package.json starts it, but compiled.
    expect(containerOf('topology').command?.slice(-2)).toEqual(['dist/main.js', 'topology']);
    expect(containerOf('topology').image).toMatch(/\/operations:/);
    expect(() => loadConfig(topologyConfig, environmentOf('topology'))).not.toThrow();
    const step = rendered[overlay].filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === 'topology');
    expect(step.map(({ kind }) => kind).toSorted()).toEqual(['Job', 'Secret']);
    expect(one('Job', 'topology')).toMatchObject({ template: { spec: { restartPolicy: 'OnFailure' } } });
  });

  it('takes each image by its version', () => {
    const images = everything.map((name) => containerOf(name).image);
    expect(images.map((image) => /^registry\.shop\.example\/storefront\/([a-z]+):\d/.exec(image)?.[1])).toEqual(
      everything.map((name) => (name === 'topology' ? 'operations' : name)),
    );
  });

  it('opens the gateway to everybody, by TLS and under the name of API_URL, and nothing else', () => {
    const { tls, rules } = one<{ tls: { hosts: string[] }[]; rules: { host: string; http: { paths: unknown } }[] }>(
      'Ingress',
      'gateway',
    );
    const host = new URL(environmentOf('engagement')['API_URL'] ?? '').hostname;
    expect([tls.map(({ hosts }) => hosts), rules.map((rule) => rule.host)]).toEqual([[[host]], [host]]);
    expect(rules[0]?.http.paths).toEqual([
      { path: '/', pathType: 'Prefix', backend: { service: { name: 'gateway', port: { name: 'http' } } } },
    ]);
    expect(all('Ingress')).toHaveLength(1);
    for (const { metadata } of all('Service'))
      expect(one<{ type?: string }>('Service', metadata.name).type).toBeUndefined();
  });

  it('lets nobody talk to anybody but those who have to', () => {
    const policies = all('NetworkPolicy').map((manifest) => (manifest as unknown as { spec: Policy }).spec);
    const labelsOf = (name: string) => podOf(name).metadata.labels;
    const applying = (name: string, type: 'Ingress' | 'Egress') =>
      policies.filter(
        ({ podSelector, policyTypes }) => policyTypes.includes(type) && selects(podSelector, labelsOf(name)),
      );
    const portsOf = (name: string, { ports }: Rule) =>
      ports.map(
        ({ port }) => containerOf(name).ports?.find((each) => each.name === port)?.containerPort ?? Number(port),
      );
    const isPod = (peer: Peer, name: string) =>
      peer.podSelector !== undefined &&
      peer.namespaceSelector === undefined &&
      selects(peer.podSelector, labelsOf(name));
    const mayReach = (from: string, to: string, port: number) =>
      applying(from, 'Egress').some(({ egress = [] }) =>
        egress.some((rule) => portsOf(to, rule).includes(port) && rule.to?.some((peer) => isPod(peer, to))),
      ) &&
      applying(to, 'Ingress').some(({ ingress = [] }) =>
        ingress.some((rule) => portsOf(to, rule).includes(port) && rule.from?.some((peer) => isPod(peer, from))),
      );
    const reached = everything.flatMap((from) =>
      everything.flatMap((to) =>
        [8080, 9090].filter((port) => mayReach(from, to, port)).map((port) => `${from} → ${to}:${port}`),
      ),
    );
    const wanted = [
      ...serviceNames.map((name) => `gateway → ${name}:8080`),
      ...serviceNames.map((name) => `health → ${name}:8080`),
      'health → gateway:9090',
    ];
    expect(reached.toSorted()).toEqual(wanted.toSorted());

    const letIn = (name: string) =>
      applying(name, 'Ingress').flatMap(({ ingress = [] }) =>
        ingress.flatMap((rule) =>
          (rule.from ?? [{ ipBlock: { cidr: 'anybody' } }]).flatMap((peer) =>
            isOwn(peer) ? [] : portsOf(name, rule).map((port) => `${JSON.stringify(peer)} ${port}`),
          ),
        ),
      );
    const isOwn = (peer: Peer) => peer.podSelector !== undefined && peer.namespaceSelector === undefined;
    const namespace = (access: string) =>
      JSON.stringify({ namespaceSelector: { matchLabels: { 'storefront.example/access': access } } });
    for (const name of serviceNames) expect([name, letIn(name)]).toEqual([name, [`${namespace('monitoring')} 8080`]]);
    expect(letIn('gateway').toSorted()).toEqual([`${namespace('ingress')} 8080`, `${namespace('monitoring')} 9090`]);
    expect(letIn('topology')).toEqual([]);

    // Servers outside, by their ports. A rule without `to` is for every address.
    const outside = (name: string) =>
      applying(name, 'Egress').flatMap(({ egress = [] }) =>
        egress.flatMap((rule) => (rule.to === undefined ? rule.ports.map(({ port }) => Number(port)) : [])),
      );
    const [mongodb, rabbitmq, mail, management] = [[27017], [5672, 5671], [25, 465, 587], [15672, 15671, 443]];
    const sorted = (ports: readonly number[]) => ports.toSorted((a, b) => a - b);
    expect(Object.fromEntries(everything.map((name) => [name, sorted(outside(name))]))).toEqual({
      gateway: sorted(rabbitmq),
      identity: sorted([...mongodb, ...rabbitmq]),
      account: sorted([...mongodb, ...rabbitmq]),
      catalog: sorted([...mongodb, ...rabbitmq]),
      engagement: sorted([...mongodb, ...rabbitmq, ...mail]),
      billing: sorted([...mongodb, ...rabbitmq]),
      orders: sorted([...mongodb, ...rabbitmq]),
      health: sorted([...mongodb, ...rabbitmq]),
      topology: sorted([...rabbitmq, ...management]),
    });
    for (const name of everything) {
      // Without a policy of a kind all is allowed.
      expect([name, applying(name, 'Ingress').length > 0, applying(name, 'Egress').length > 0]).toEqual([
        name,
        true,
        true,
      ]);
    }
    expect(policies).toContainEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });
});

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Record<string, string>): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => values.includes(labels[key] ?? '') === (operator === 'In'))
  );
}
