import { useNavigate, useRouterState } from '@tanstack/react-router';

/** What the address says after its question mark. */
export type Search = Readonly<Record<string, string>>;

export function useSearchState(): [
  search: Search,
  change: (next: Readonly<Record<string, string | undefined>>) => void,
] {
  const search = useRouterState({ select: ({ location }) => location.search as Search });
  const navigate = useNavigate();
  return [
    search,
    (next) => {
      const merged = Object.entries({ ...search, ...next }).filter(([, value]) => value !== undefined && value !== '');
      void navigate({ to: '.', search: Object.fromEntries(merged) });
    },
  ];
}
