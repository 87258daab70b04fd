/** An OpenAPI document, as far as merging looks into it. */
export interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, object>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly tags?: readonly { readonly name: string }[];
}

/** What one service adds to the merged document. */
export interface Part {
  readonly service: string;
  readonly document: OpenApiDocument;
}

type Components = Record<string, Record<string, unknown>>;

const refPrefix = '#/components/';

/**
 * One set of paths, components and tags out of those of all services, in the order given. `isPublic` says which paths are
 * reached through the gateway. Components of one name are shared where they mean the same; else the later one is renamed
 * after its service, with all references to it.
 */
export function mergeOpenApi(
  parts: readonly Part[],
  isPublic: (path: string, service: string) => boolean,
): { paths: Record<string, object>; components: Components; tags: { name: string }[] } {
  const paths: Record<string, object> = {};
  const components: Components = {};
  const tags = new Map<string, { name: string }>();
  for (const { service, document } of parts) {
    const own = document.components ?? {};
    const renamed = conflicts(own, components);
    const rewrite = (value: unknown) => withRefs(value, (ref) => (renamed.has(ref) ? rename(ref, service) : ref));
    for (const [kind, named] of Object.entries(own)) {
      const target = (components[kind] ??= {});
      for (const [name, component] of Object.entries(named)) {
        const ref = `${kind}/${name}`;
        const key = renamed.has(ref) ? nameOf(rename(ref, service)) : name;
        target[key] ??= rewrite(component);
      }
    }
    for (const [path, item] of Object.entries(document.paths ?? {}))
      if (isPublic(path, service)) paths[path] ??= rewrite(item) as object;
    for (const tag of document.tags ?? []) if (!tags.has(tag.name)) tags.set(tag.name, tag);
  }
  return { paths, components, tags: [...tags.values()] };
}

// Different content under one name; then also whatever refers to such a one, since it means something else too.
function conflicts(own: NonNullable<OpenApiDocument['components']>, merged: Components): Set<string> {
  const shared = Object.entries(own).flatMap(([kind, named]) =>
    // Security schemes are referred to by their bare names: the first of a name stands for all.
    Object.entries(kind === 'securitySchemes' ? {} : named)
      .filter(([name]) => merged[kind]?.[name] !== undefined)
      .map(([name, component]) => ({ ref: `${kind}/${name}`, component, other: merged[kind]?.[name] })),
  );
  const found = new Set(shared.filter(({ component, other }) => !same(component, other)).map(({ ref }) => ref));
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { ref, component } of shared) {
      withRefs(component, (inner) => {
        if (found.has(inner)) found.add(ref);
        return inner;
      });
    }
  }
  return found;
}

function rename(ref: string, service: string): string {
  const [kind] = ref.split('/', 1);
  return `${kind}/${service.charAt(0).toUpperCase()}${service.slice(1)}${nameOf(ref)}`;
}

function nameOf(ref: string): string {
  return ref.slice(ref.indexOf('/') + 1);
}

/** A copy with every local reference replaced; references are given and taken without `#/components/`. */
function withRefs(value: unknown, replace: (ref: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withRefs(item, replace));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string' && inner.startsWith(refPrefix)
        ? [key, `${refPrefix}${replace(inner.slice(refPrefix.length))}`]
        : [key, withRefs(inner, replace)],
    ),
  );
}

function same(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
