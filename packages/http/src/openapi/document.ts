import { problem, staffInWords, type OperationSpec } from '@storefront/contracts';
import type { z } from 'zod';
import { Components } from './components.ts';
import { parametersOf } from './parameters.ts';
import { createProblems } from './problems.ts';
import { formContent, bodyContent, rawContent, responsesOf, toResponseSpec } from './responses.ts';
import { toJsonSchemas, withDefaultsInWords, type JsonSchema, type JsonSchemas } from './schemas.ts';

/** Information about the API as a whole. */
export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  /** The description of the API in Markdown. */
  readonly description: string;
  readonly contact: { readonly name: string };
  readonly license: { readonly name: string; readonly identifier: string };
  /** The description of each tag. */
  readonly tags: Readonly<Record<string, string>>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/**
 * Makes the OpenAPI 3.1 document of the operations, except those with the access `system`. Throws if `info` has no
 * description of a tag, or if two schemas have the same name.
 */
export function openApiDocument(operations: readonly OperationSpec[], info: ApiInfo): OpenApiDocument {
  const { title, version, description, contact, license } = info;
  const shown = operations.filter(({ access }) => access !== 'system');
  const components = new Components();
  const describe = createDescriber(shown, components);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of shown) (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation);
  return {
    openapi: '3.1.1',
    info: { title, version, description, contact, license },
    servers: [{ url: '/', description: 'The server that has this document.' }],
    tags: tagsOf(shown, info),
    paths,
    components: {
      ...components.all(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token of a login, or an API token.',
        },
        ...(shown.some(({ ticket }) => ticket) && {
          ticket: { type: 'apiKey', in: 'query', name: 'ticket', description: 'A ticket, which opens one stream.' },
        }),
      },
    },
  };
}

function securityOf({ access, optionalToken, ticket }: OperationSpec): readonly object[] {
  if (optionalToken) return [{}, { bearer: [] }];
  if (ticket) return [{ bearer: [] }, { ticket: [] }];
  return access === 'public' ? [] : [{ bearer: [] }];
}

/** The description of the operation, with the staff who may call it, or who may do more than others. */
function descriptionOf(operation: OperationSpec): string | undefined {
  const { access, scope, description } = operation;
  const staff = staffInWords(operation);
  if (staff === undefined) return description;
  const isForOthers = access === 'public' || access === 'user';
  const program = scope === undefined ? '' : `; API tokens with \`${scope}\``;
  return [description, `${isForOthers ? 'Staff who may do more' : 'Who may'}: ${staff}${program}.`]
    .filter(Boolean)
    .join(' ');
}

function createDescriber(
  operations: readonly OperationSpec[],
  components: Components,
): (operation: OperationSpec) => object {
  // All schemas are converted together, so that each schema with a name becomes one component.
  const requests = toJsonSchemas(Object.fromEntries(operations.flatMap(requestSchemas)), 'input');
  const bodyOf = (operation: OperationSpec, part: 'body' | 'form'): JsonSchema | undefined => {
    const schema = requests.schemas[keyOf(operation, part)];
    return schema && withDefaultsInWords(schema);
  };
  const answers = toJsonSchemas({ problem, ...Object.fromEntries(operations.flatMap(answerSchemas)) }, 'output');
  addNamed(requests, answers, components);
  const problemsOf = createProblems(operations);

  return (operation) => {
    const { id, tags, summary } = operation;
    const description = descriptionOf(operation);
    const body = bodyOf(operation, 'body');
    const form = bodyOf(operation, 'form');
    return {
      operationId: id,
      tags,
      summary,
      ...(description === undefined ? {} : { description }),
      security: securityOf(operation),
      parameters: parametersOf(operation, (part) => requests.schemas[keyOf(operation, part)], components),
      ...(body ? { requestBody: { required: !operation.optionalBody, content: bodyContent(operation, body) } } : {}),
      ...(operation.rawBody ? { requestBody: { required: true, content: rawContent(operation.rawBody) } } : {}),
      ...(form ? { requestBody: { required: false, content: formContent(form) } } : {}),
      responses: responsesOf(
        operation,
        (status) => answers.schemas[keyOf(operation, status)],
        problemsOf(operation),
        components,
      ),
      'x-codeSamples': [{ lang: 'TypeScript', label: '@storefront/client', source: clientCallOf(operation) }],
    };
  };
}

/** The name under which the client has the operations with this tag. */
export function clientAreaOf(tag: string): string {
  const [first = '', ...rest] = tag.split(' ');
  return [first.toLowerCase(), ...rest.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join('');
}

function clientCallOf({ id, path, tags: [tag = ''], body, rawBody }: OperationSpec): string {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const given = [params.length > 0 && `params: { ${params.join(', ')} }`, (body ?? rawBody) && 'body'].filter(Boolean);
  return `await shop.${clientAreaOf(tag)}.${id}(${given.length > 0 ? `{ ${given.join(', ')} }` : ''});`;
}

function keyOf({ id }: OperationSpec, part: string): string {
  return `${id} ${part}`;
}

function requestSchemas(operation: OperationSpec): [key: string, schema: z.ZodType][] {
  return (['params', 'query', 'headers', 'body', 'form'] as const).flatMap((part) => {
    const schema = operation[part];
    return schema ? [[keyOf(operation, part), schema]] : [];
  });
}

function answerSchemas(operation: OperationSpec): [key: string, schema: z.ZodType][] {
  return Object.entries(operation.responses).flatMap(([status, response]) => {
    const { body, event = body, described = event } = toResponseSpec(response);
    return described ? [[keyOf(operation, status), described]] : [];
  });
}

function addNamed(requests: JsonSchemas, answers: JsonSchemas, components: Components): void {
  const ofRequests = Object.fromEntries(
    Object.entries(requests.named).map(([name, schema]) => [name, withDefaultsInWords(schema)]),
  );
  for (const [name, schema] of Object.entries({ ...ofRequests, ...answers.named })) {
    const inRequests = ofRequests[name];
    if (inRequests && JSON.stringify(inRequests) !== JSON.stringify(schema))
      throw new Error(`${name} is not the same in requests and in answers: give them two names`);
    components.add('schemas', name, schema);
  }
}

function tagsOf(operations: readonly OperationSpec[], { tags }: ApiInfo): OpenApiDocument['tags'] {
  const used = new Set(operations.flatMap((operation) => operation.tags));
  for (const name of used) if (!(name in tags)) throw new Error(`the tag ${name} has no description`);
  return Object.entries(tags).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []));
}
