import { allPages, catalogErrors, catalogHttp, notFound, type catalogOperations } from '@storefront/contracts';
import { createCsv, csvMediaType, decimalSigns } from '@storefront/csv';
import { actorOf, newIdFor, streamPages, takesType, type Cursors, type Handlers } from '@storefront/http';
import type { FastifyRequest } from 'fastify';
import type { BackgroundImports } from '../commands/background-imports.ts';
import { rowsOfProduct } from '../domain/sheets/columns.ts';
import { FileRefused } from '../domain/sheets/file-refused.ts';
import { readImportFile, type ImportFile } from '../domain/sheets/import-file.ts';
import type { KeptRow } from '../domain/sheets/kept-rows.ts';
import type { ProductImport } from '../domain/sheets/product-import.ts';
import { createRefusedCsv } from '../domain/sheets/report.ts';
import { listedStatuses, viewerOf } from '../domain/visibility.ts';
import type { CategoryReads } from '../store/category-reads.ts';
import type { Store } from '../store/collections.ts';
import type { ProductReads } from '../store/product-reads.ts';

type FileOperation =
  | 'importProducts'
  | 'listProductImports'
  | 'getProductImport'
  | 'listImportedRows'
  | 'exportRefusedRows'
  | 'exportProducts';

interface Parts extends Pick<Store, 'imports' | 'importRows'> {
  readonly backgroundImports: Pick<BackgroundImports, 'start'>;
  readonly productReads: Pick<ProductReads, 'page'>;
  readonly categoryReads: Pick<CategoryReads, 'slugs'>;
  readonly cursors: Cursors;
}

const newestFirst = { startedAt: -1, _id: -1 } as const;
const rowsAtOnce = 500;
// With 100 variants each they are 10,000 rows, which take some 70 ms to write.
const productsAtOnce = 100;
// Even rows that are refused take some of the database's time.
const mostLines = 50_000;

/** Files of products: staff import them, read what became of the rows, and export products. */
export function productFileHandlers(parts: Parts): Pick<Handlers<typeof catalogOperations>, FileOperation> {
  const { imports, importRows, backgroundImports, productReads, categoryReads, cursors } = parts;

  return {
    importProducts: {
      async handle(request, reply) {
        const id = newIdFor(request, 'imp');
        const { dryRun } = request.query;
        const file = readFile(request);
        const state = await backgroundImports.start({ id, file, actor: actorOf(request), dryRun });
        void reply.header('location', `/v1/products/imports/${id}`);
        return showImport(state);
      },
      again: async (request) => showImport(await present(newIdFor(request, 'imp'))),
    },

    listProductImports: ({ query }) =>
      cursors.page(
        { list: 'imports', owner: '', query },
        (slice) => imports.page({ order: newestFirst, slice, hint: 'newest' }),
        ({ state }) => showImport(state),
      ),

    async getProductImport(request) {
      return showImport(await present(request.params.id));
    },

    async listImportedRows({ params: { id }, query }) {
      await present(id);
      return cursors.page(
        { list: `import ${id}`, owner: '', query },
        (slice) => importRows.page(id, query.kind, slice),
        showRow,
      );
    },

    async exportRefusedRows({ params: { id } }, reply) {
      const { file } = await present(id);
      const { head, lines } = createRefusedCsv(file);
      const pages = allPages((slice) => importRows.page(id, 'refused', slice), rowsAtOnce);
      const text = await streamPages(head, pages, lines);
      return reply
        .header('content-disposition', `attachment; filename="refused-${id}.csv"`)
        .type(csvMediaType)
        .send(text);
    },

    async exportProducts(request, reply) {
      const { status, category, dialect } = request.query;
      const statuses = listedStatuses(viewerOf(request), status);
      const { head, lines } = createCsv(
        catalogHttp.productColumns.map(({ name }) => name),
        dialect,
      );
      const slugOf = await categoryReads.slugs();
      const pages = allPages(
        (slice) => productReads.page({ category, sort: 'newest' }, { statuses, onlyVisible: false }, slice),
        productsAtOnce,
      );
      const text = await streamPages(head, pages, (products) =>
        lines(products.flatMap((product) => rowsOfProduct(product, slugOf, decimalSigns[dialect]))),
      );
      return reply.header('content-disposition', 'attachment; filename="products.csv"').type(csvMediaType).send(text);
    },
  };

  async function present(id: string): Promise<ProductImport> {
    const found = await imports.load(id);
    if (!found) throw notFound('import');
    return found.state;
  }
}

function readFile(request: FastifyRequest<{ Body: Buffer }>): ImportFile {
  const isJson = takesType({ contentTypes: ['application/json'] }, request.headers['content-type']);
  try {
    const file = readImportFile(request.body, isJson);
    if (file.size > mostLines)
      throw new FileRefused(`The file has ${file.size} lines or products; ${mostLines} is the most. Divide it.`);
    return file;
  } catch (error) {
    throw error instanceof FileRefused ? catalogErrors.importFileRefused(error.message) : error;
  }
}

function showImport(state: ProductImport): catalogHttp.ProductImportBody {
  const { id, dryRun, file, done, created, changed, unchanged, refused, warned } = state;
  const { size, ...written } = file;
  const { startedAt, activeAt, finishedAt, interrupted } = state;
  return {
    id,
    status: finishedAt === null ? 'running' : (interrupted ?? 'finished'),
    dryRun,
    file: { ...written, samples: [...written.samples], columns: [...written.columns] },
    done,
    size,
    created,
    changed,
    unchanged,
    refused,
    warned,
    startedAt: startedAt.toISOString(),
    activeAt: activeAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

function showRow({ place, sku, faults, warnings, changes }: KeptRow): catalogHttp.ImportedRowBody {
  return { place, sku, faults: [...faults], warnings: [...warnings], changes: [...changes] };
}
