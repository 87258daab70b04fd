import type { ApiToken, ApiTokenCreation } from '@storefront/client';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ago, date, dayFromToday, startOfDay } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import { Note, PageHead, Stack } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Check, TextField, Two } from '../../parts/form.tsx';
import { PeopleTabs } from './people.tsx';

type Scope = ApiTokenCreation['scopes'][number];
const areas = ['catalog', 'promotions', 'orders', 'billing', 'notifications', 'trade-accounts'] as const;
const scopes: readonly Scope[] = [
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
  'users:read',
  'analytics:read',
];

export function ApiTokens() {
  const [token, setToken] = useState<string | null>(null);
  return (
    <>
      <PageHead title={t.people.tokens} sub={t.people.tokensSub}>
        <Action<{ name: string; scopes: readonly Scope[]; expiresAt: string }>
          title={t.people.newToken}
          tone="primary"
          icon="plus"
          initial={{ name: '', scopes: [], expiresAt: dayFromToday(90) }}
          fields={({ values, set }) => (
            <>
              <TextField
                label={t.name}
                value={values.name}
                onChange={(name) => set('name', name)}
                required
                pointer="/name"
              />
              <TextField
                label={t.people.expires}
                type="date"
                value={values.expiresAt}
                onChange={(day) => set('expiresAt', day)}
                required
                pointer="/expiresAt"
              />
              <fieldset>
                <legend>{t.people.scopes}</legend>
                <Two>
                  {scopes.map((scope) => (
                    <Check
                      key={scope}
                      label={scope}
                      checked={values.scopes.includes(scope)}
                      onChange={(isOn) =>
                        set('scopes', isOn ? [...values.scopes, scope] : values.scopes.filter((one) => one !== scope))
                      }
                    />
                  ))}
                </Two>
              </fieldset>
            </>
          )}
          run={async ({ name, scopes: chosen, expiresAt }) => {
            const made = await api.apiTokens.createApiToken({
              body: { name, scopes: [...chosen], expiresAt: startOfDay(expiresAt) },
            });
            setToken(made.token);
          }}
        />
      </PageHead>
      <PeopleTabs current="/people/api-tokens" />
      <Stack>
        {token !== null && (
          <Note tone="good">
            <p>{t.people.tokenOnce}</p>
            <code className="mono">{token}</code>
          </Note>
        )}
        <DataTable<ApiToken, Parameters<typeof api.apiTokens.listApiTokens>[0]>
          list={api.apiTokens.listApiTokens}
          label={t.people.tokens}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          columns={[
            { title: t.name, cell: ({ name }) => <strong>{name}</strong> },
            { title: t.people.scopes, cell: ({ scopes: all }) => all.join(', ') },
            { title: t.people.expires, cell: ({ expiresAt }) => date(expiresAt) },
            { title: t.people.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? ago(lastUsedAt) : '–') },
          ]}
          bulk={[
            {
              title: t.people.revoke,
              tone: 'danger',
              whyNot: () => null,
              run: ({ id }) => api.apiTokens.revokeApiToken({ params: { id } }),
            },
          ]}
        />
      </Stack>
    </>
  );
}
