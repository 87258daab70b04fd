const stored = 'console.theme';

/** The theme that is shown: the chosen one, else that of the system. */
export function theme(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Shows the other theme, also the next time. */
export function nextTheme(): 'light' | 'dark' {
  const next = theme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  localStorage.setItem(stored, next);
  return next;
}
