import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from '@fastify/type-provider-zod';
import { problem } from '@storefront/contracts';
import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import type { Access } from './caller.ts';

type Transforms = Required<Pick<FastifyDynamicSwaggerOptions, 'transform' | 'transformObject'>>;

/** Turns routes with zod schemas into OpenAPI: who may call them and how they refuse is added from what they declare. */
export function createJsonSchemaTransforms(): Transforms {
  const toJsonSchema = createJsonSchemaTransform({});
  const addComponents = createJsonSchemaTransformObject({});
  return {
    transform: (route: Parameters<typeof toJsonSchema>[0]) => {
      const access = (route as { route?: { config?: { access?: Access } } }).route?.config?.access;
      const schema = (route.schema ?? {}) as FastifySchema & { hide?: boolean };
      if (schema.hide || access === 'system') return { schema: { ...schema, hide: true }, url: route.url };
      const answers = Object.entries((schema.response ?? {}) as Record<string, unknown>);
      const ofZod = answers.filter(([, answer]) => answer instanceof z.ZodType);
      // Answers that are not JSON, such as a stream or a file, say in OpenAPI's own words what they are.
      const inOwnWords = answers.filter(([, answer]) => !(answer instanceof z.ZodType));
      const described = toJsonSchema({
        ...route,
        schema: {
          ...schema,
          ...(access === 'public' ? {} : { security: [{ bearer: [] }] }),
          response: { ...Object.fromEntries(ofZod), '4xx': problem, '5xx': problem },
        },
      });
      const response = (described.schema as { response: object }).response;
      return {
        ...described,
        schema: { ...described.schema, response: { ...Object.fromEntries(inOwnWords), ...response } },
      };
    },
    transformObject: (document) => onlyWhatIsUsed(addComponents(document)),
  };
}

const prefix = '#/components/schemas/';

/**
 * The registry holds the schemas of every service in the process, each as a request and as an answer: only those that
 * the document's routes lead to stay, and a request's is called "…Input" only where the answer's has the same name.
 */
function onlyWhatIsUsed(document: object): object {
  const { paths, components, ...rest } = document as {
    paths: object;
    components: { schemas: Record<string, object> };
  };
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const name of refs(part)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(components.schemas[name]);
    }
  };
  follow(paths);
  const plain = (name: string) => {
    const bare = name.replace(/Input$/, '');
    return used.has(bare) ? name : bare;
  };
  const schemas = Object.fromEntries([...used].sort().map((name) => [plain(name), components.schemas[name]]));
  return JSON.parse(
    JSON.stringify({ ...rest, paths, components: { ...components, schemas } }, (key, value: unknown) =>
      key === '$ref' && typeof value === 'string' && value.startsWith(prefix)
        ? prefix + plain(value.slice(prefix.length))
        : value,
    ),
  ) as object;
}

function refs(part: unknown): string[] {
  if (part === null || typeof part !== 'object') return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(prefix)
      ? [value.slice(prefix.length)]
      : refs(value),
  );
}
