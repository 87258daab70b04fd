import type { ImportedRow, ProductImport } from '@storefront/client';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { tell, type Told } from '../../api/problems.ts';
import { refreshAll, useRead } from '../../api/reads.ts';
import { number } from '../../format.ts';
import { t } from '../../language/index.ts';
import { saveFile } from '../../parts/action.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { A, Badge, Button, Card, Grid, Note, PageHead, Row, Stack, Stat } from '../../parts/basics.tsx';
import forms from '../../parts/form.module.css';
import { CatalogTabs } from './catalog.tsx';
import css from './catalog.module.css';

/** Imports a spreadsheet: first a dry run, which says of each row what would come of it, then the same file for real. */
export function Import() {
  const [file, setFile] = useState<File | null>(null);
  const [id, setId] = useState<string | null>(null);
  const [problem, setProblem] = useState<Told | null>(null);
  const { data: progress } = useRead(
    api.products.getProductImport,
    { params: { id: id ?? '' } },
    { enabled: id !== null, everyMs: 1000 },
  );
  const result = id !== null && progress?.id === id ? progress : null;
  async function send(sent: File, dryRun: boolean): Promise<void> {
    setProblem(null);
    setId(null);
    try {
      const begun = await api.products.importProducts({
        query: { dryRun },
        body: sent,
        contentType: sent.name.endsWith('.json') ? 'application/json' : 'text/csv',
      });
      setId(begun.id);
      if (!dryRun) refreshAll();
    } catch (error) {
      setProblem(tell(error));
    }
  }
  function choose(chosen: File | undefined): void {
    setFile(chosen ?? null);
    if (chosen) void send(chosen, true);
  }
  return (
    <>
      <PageHead title={t.catalog.import} sub={t.catalog.importSub} />
      <CatalogTabs current="/catalog/import" />
      <Stack>
        <Card>
          <label
            className={css.drop}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => (event.preventDefault(), choose(event.dataTransfer.files[0]))}
          >
            {t.catalog.dropFile}
            <input
              type="file"
              accept=".csv,.json,text/csv,application/json"
              onChange={(event) => choose(event.target.files?.[0])}
            />
          </label>
        </Card>
        {problem && <ProblemNote problem={problem} />}
        {result && <Result result={result} file={file} begin={() => file && void send(file, false)} />}
      </Stack>
    </>
  );
}

function Result({ result, file, begin }: { result: ProductImport; file: File | null; begin: () => void }) {
  const isOver = result.status !== 'running';
  const { data: refused } = useRead(
    api.products.listImportedRows,
    { params: { id: result.id }, query: { kind: 'refused' as const, limit: 100 } },
    { enabled: isOver && result.refused > 0 },
  );
  const { data: warned } = useRead(
    api.products.listImportedRows,
    { params: { id: result.id }, query: { kind: 'warned' as const, limit: 100 } },
    { enabled: isOver && result.warned > 0 },
  );
  const { data: changed } = useRead(
    api.products.listImportedRows,
    { params: { id: result.id }, query: { kind: 'changed' as const, limit: 100 } },
    { enabled: isOver && result.changed > 0 },
  );
  return (
    <>
      <Row>
        <strong>{file?.name}</strong>
        <Badge value={result.dryRun ? 'dry run' : 'import'} tone={result.dryRun ? 'accent' : 'good'} />
        <Badge value={result.status} tone={result.status === 'finished' ? 'good' : 'warn'} />
      </Row>
      <Grid>
        <Stat label={t.catalog.created} value={number(result.created)} />
        <Stat label={t.catalog.changed} value={number(result.changed)} />
        <Stat label={t.catalog.unchanged} value={number(result.unchanged)} />
        <Stat label={t.catalog.refused} value={number(result.refused)} />
      </Grid>
      {isOver && (
        <Note tone={result.refused > 0 ? 'warn' : 'good'}>
          {result.dryRun ? (
            <p>{result.refused > 0 ? t.catalog.someRefused(result.refused) : t.catalog.noneRefused}</p>
          ) : (
            <p>
              {t.catalog.imported(result.created, result.changed, result.refused)}{' '}
              <A to="/catalog">{t.catalog.products}</A>
            </p>
          )}
          <Row>
            {result.dryRun && (
              <Button tone="primary" onClick={begin}>
                {t.catalog.importNow}
              </Button>
            )}
            {result.refused > 0 && (
              <Button
                icon="download"
                onClick={() =>
                  void saveFile('refused.csv', api.products.exportRefusedRows.response({ params: { id: result.id } }))
                }
              >
                {t.catalog.refusedFile}
              </Button>
            )}
          </Row>
        </Note>
      )}
      <Faults title={t.catalog.refusedRows} rows={refused?.data ?? []} kind="faults" />
      <Faults title={t.catalog.warnings} rows={warned?.data ?? []} kind="warnings" />
      {changed && changed.data.length > 0 && (
        <Card title={t.catalog.changes}>
          <table className={forms.lines}>
            <tbody>
              {changed.data.flatMap(({ place, sku, changes }) =>
                changes.map(({ column, from, to }) => (
                  <tr key={`${place}-${column}`}>
                    <td>{place}</td>
                    <td className="mono">{sku}</td>
                    <td>{column}</td>
                    <td>
                      <s className="muted">{from ?? '–'}</s> {to ?? '–'}
                    </td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </Card>
      )}
    </>
  );
}

/** Each wrong cell by its row and column. */
function Faults({ title, rows, kind }: { title: string; rows: readonly ImportedRow[]; kind: 'faults' | 'warnings' }) {
  if (rows.length === 0) return null;
  return (
    <Card title={title}>
      <table className={forms.lines}>
        <thead>
          <tr>
            <th scope="col">{t.catalog.row}</th>
            <th scope="col">{t.catalog.column}</th>
            <th scope="col">{t.catalog.cell}</th>
            <th scope="col">{t.catalog.fault}</th>
          </tr>
        </thead>
        <tbody>
          {rows.flatMap((row) =>
            row[kind].map(({ column, value, message }) => (
              <tr key={`${row.place}-${column}-${message}`}>
                <td>{row.place}</td>
                <td>{column ?? '–'}</td>
                <td className="mono">{value ?? '–'}</td>
                <td>{message}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </Card>
  );
}
