import { z } from 'zod';
import { catalogErrors } from '../../errors/catalog.ts';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, timestamp } from '../common.ts';
import { csvDialect } from '../csv.ts';
import { operation, operationsOf } from '../operation.ts';
import { productColumns } from './product-columns.ts';
import { productQuery, productStatus } from './products.ts';

/** The largest file of products that the API takes: some 20,000 products. */
export const maxImportBytes = 5 * 1024 * 1024;

const columns = productColumns.map(({ name, holds }) => `\`${name}\` (${holds})`).join(', ');
const count = z.int();

export const importStatus = z.enum(['running', 'finished', 'stopped', 'failed', 'silent']);

export const productImport = z
  .object({
    id: idSchema('imp'),
    status: importStatus.meta({
      description:
        '`stopped`: the instance that worked on it was ended; `failed`: an error ended it; `silent`: nothing was heard of it ' +
        'for 15 minutes, as after a crash. Repeat an import that did not finish: rows that are stored change nothing.',
    }),
    dryRun: z.boolean(),
    file: z.object({
      format: z.enum(['csv', 'json']),
      encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
      samples: z.array(z.string()).meta({
        description:
          'Up to three words of a file in Windows-1252, which nothing in such a file says: if they are wrong, save it as UTF-8.',
      }),
      delimiter: z.enum([',', ';', '\t']).nullable().meta({ description: 'null for JSON.' }),
      columns: z.array(z.string()),
    }),
    done: count.meta({
      description: 'The line, or the product or variant of a JSON file, up to which all rows are done.',
    }),
    size: count.meta({ description: 'The number of lines, or of products and variants.' }),
    created: count.meta({ description: 'Rows: a product with two variants has three.' }),
    changed: count,
    unchanged: count,
    refused: count,
    warned: count.meta({ description: 'Rows that were taken and are strange, such as a trade price above the price.' }),
    startedAt: timestamp,
    activeAt: timestamp.meta({ description: 'When rows were last stored.' }),
    finishedAt: timestamp.nullable(),
  })
  .meta({
    id: 'ProductImport',
    description: 'The counts of a dry run are what the import would do.',
    examples: [
      {
        id: 'imp_01h455vb4pex5vsknk084sn02q',
        status: 'running',
        dryRun: false,
        file: { format: 'csv', encoding: 'utf-8', samples: [], delimiter: ';', columns: ['sku', 'price', 'stock'] },
        done: 1201,
        size: 2001,
        created: 40,
        changed: 1100,
        unchanged: 58,
        refused: 2,
        warned: 1,
        startedAt: '2026-11-26T09:30:00.000Z',
        activeAt: '2026-11-26T09:30:03.000Z',
        finishedAt: null,
      },
    ],
  });
export type ProductImportBody = z.output<typeof productImport>;
export const productImportPage = page(productImport).meta({ id: 'ProductImportPage' });

const fault = z
  .object({
    column: z.string().nullable().meta({ description: 'null where it concerns the whole row.' }),
    value: z.string().nullable().meta({ description: 'What the cell says, cut to 50 characters.' }),
    message: z.string().meta({ examples: ['"12a" is not a whole number, 0 or more'] }),
  })
  .meta({ id: 'ImportFault' });

export const importedRow = z
  .object({
    place: z.string().meta({ examples: ['line 7'] }),
    sku: z.string().nullable(),
    faults: z.array(fault).meta({ description: 'Why the row is refused.' }),
    warnings: z.array(fault),
    changes: z
      .array(z.object({ column: z.string(), from: z.string().nullable(), to: z.string().nullable() }))
      .meta({ description: 'As cells of a file; of a new product all that it has.' }),
  })
  .meta({ id: 'ImportedRow' });
export type ImportedRowBody = z.output<typeof importedRow>;
export const importedRowPage = page(importedRow).meta({ id: 'ImportedRowPage' });

export const importedRowKind = z.enum(['refused', 'warned', 'created', 'changed']);

export const importParams = z.object({ id: idSchema('imp') });

const wanted = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')
  .meta({ description: 'Says what the import would do, and changes no product.', examples: ['true'] });

export const importQuery = z.strictObject({ dryRun: wanted });

export const importedRowQuery = z.strictObject({
  ...pageQuery,
  kind: importedRowKind
    .default('refused')
    .meta({ description: 'Created and changed rows are those of a dry run.', examples: ['refused'] }),
});

export const exportQuery = z.strictObject({
  status: productStatus.optional().meta({ description: 'Only this status.', examples: ['active'] }),
  category: productQuery.shape.category,
  dialect: csvDialect,
});

const tags = ['products'];
const staff = { access: 'staff', roles: ['catalog'], tags } as const;

export const productFileOperations = operationsOf(
  operation({
    ...staff,
    id: 'importProducts',
    method: 'POST',
    path: '/v1/products/imports',
    scope: 'catalog:write',
    idempotent: true,
    summary: 'Import products from a file',
    description:
      'Creates products, or changes those with the same SKU. The body is the file, up to 5 MiB and 50,000 lines: CSV with commas, semicolons or ' +
      'tabs, in UTF-8, UTF-16 or Windows-1252; or JSON in UTF-8, a list of objects with the same fields. An empty cell changes ' +
      'nothing. A variant has a row of its own behind that of its product, or in JSON is in `variants` of its product, as in the ' +
      'API. A row that is wrong is refused with all rows of its product, and the others are imported. The answer comes before the work is done: read ' +
      `the import until it has ended. The columns, in any order: ${columns}.`,
    query: importQuery,
    rawBody: {
      contentTypes: ['text/csv', 'application/json'],
      maxBytes: maxImportBytes,
      maxBytesAtOnce: 4 * maxImportBytes,
      isList: true,
    },
    responses: {
      202: {
        description: 'The import has begun.',
        body: productImport,
        headers: { Location: 'The path of the import.' },
      },
    },
    errors: [catalogErrors.importFileRefused, catalogErrors.tooManyImports],
  }),
  operation({
    ...staff,
    id: 'listProductImports',
    method: 'GET',
    path: '/v1/products/imports',
    scope: 'catalog:read',
    summary: 'List imports of products',
    description: 'The newest first, dry runs among them. They are kept for 30 days.',
    query: z.strictObject(pageQuery),
    responses: { 200: productImportPage },
  }),
  operation({
    ...staff,
    id: 'getProductImport',
    method: 'GET',
    path: '/v1/products/imports/{id}',
    scope: 'catalog:read',
    summary: 'Read an import of products',
    description: 'How far it is, and its counts. It is kept for 30 days.',
    params: importParams,
    responses: { 200: productImport },
  }),
  operation({
    ...staff,
    id: 'listImportedRows',
    method: 'GET',
    path: '/v1/products/imports/{id}/rows',
    scope: 'catalog:read',
    summary: 'List rows of an import',
    description: 'In the order of the file. Up to 2,000 rows of each kind are kept, for 30 days.',
    params: importParams,
    query: importedRowQuery,
    responses: { 200: importedRowPage },
  }),
  operation({
    ...staff,
    id: 'exportRefusedRows',
    method: 'GET',
    path: '/v1/products/imports/{id}/refused',
    scope: 'catalog:read',
    summary: 'Download the refused rows of an import',
    description:
      'As CSV to be mended and imported: the cells as they were, after a column `reason`, which an import does not read. Up to ' +
      '2,000 rows are kept, for 30 days.',
    params: importParams,
    responses: {
      200: {
        description: 'The rows.',
        contentType: 'text/csv',
        headers: { 'Content-Disposition': 'A file name for the download.' },
      },
    },
  }),
  operation({
    id: 'exportProducts',
    method: 'GET',
    path: '/v1/products/export',
    access: 'staff',
    roles: ['catalog', 'marketing', 'sales', 'support'],
    scope: 'catalog:read',
    tags,
    summary: 'Export products as CSV',
    description:
      'All products, the newest first, with the columns of an import, which changes nothing when it reads the file.',
    query: exportQuery,
    responses: {
      200: {
        description: 'The products.',
        contentType: 'text/csv',
        headers: { 'Content-Disposition': 'A file name for the download.' },
      },
    },
  }),
);
