// Strokes on a grid of 24, each drawn for this console.
const paths = {
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  orders: 'M5 8h14l-1 12H6L5 8Zm4 0V7a3 3 0 0 1 6 0v1',
  trade: 'M4 20V9l8-5 8 5v11M9 20v-6h6v6M4 20h16',
  catalog: 'M4 7l8-4 8 4v10l-8 4-8-4V7Zm0 0 8 4 8-4m-8 4v10',
  campaigns: 'M4 10v4h3l8 4V6l-8 4H4Zm15-1a4 4 0 0 1 0 6M8 14l1 5h2',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-3.5 2.7-6 6-6s6 2.5 6 6m1-16a3.5 3.5 0 0 1 0 7m2 3.5c1.9.8 3 2.9 3 5.5',
  invoices: 'M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7',
  deliveries: 'M3 6h18v12H3zM3 7l9 6 9-6',
  reports: 'M4 20V4m0 16h16M8 16v-4m4 4V8m4 8v-6',
  system: 'M4 5h16v5H4zM4 14h16v5H4zM8 7.5h.01M8 16.5h.01',
  settings: 'M5 7h8m4 0h2M5 17h2m4 0h8M15 5v4M9 15v4',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 4 4',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5 10 17l9-10',
  alert: 'M12 4 2.8 20h18.4L12 4Zm0 6v4m0 3h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-10v5m0-8h.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  plus: 'M12 5v14M5 12h14',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4m0-12.8L17 7M7 17l-1.4 1.4',
  moon: 'M20 14a8 8 0 0 1-10-10 8 8 0 1 0 10 10Z',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8c0-3.5 3-6 7-6s7 2.5 7 6',
  next: 'M9 5l7 7-7 7',
  previous: 'M15 5l-7 7 7 7',
  code: 'M9 7l-5 5 5 5m6-10 5 5-5 5',
  download: 'M12 4v11m-4-4 4 4 4-4M4 20h16',
  upload: 'M12 15V4m-4 4 4-4 4 4M4 20h16',
  truck: 'M3 6h11v10H3zm11 4h4l3 3v3h-7zM7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm10 0a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  filter: 'M4 6h16M7 12h10M10 18h4',
  bookmark: 'M6 4h12v16l-6-4-6 4z',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  refresh: 'M19 12a7 7 0 1 1-2-5l2 2m0-5v5h-5',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 17 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      className="icon"
    >
      <path d={paths[name]} />
    </svg>
  );
}
