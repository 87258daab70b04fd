// Before the first paint, so that a dark page does not flash white. A file of its own: the policy allows no inline script.
try {
  const theme = localStorage.getItem('console.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the theme is that of the system.
}
