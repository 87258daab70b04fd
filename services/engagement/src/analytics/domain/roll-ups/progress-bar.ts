const width = 30;

/** Such as `[##########....................]  33 %`. */
export function progressBar(done: number, of: number): string {
  const share = of === 0 ? 1 : done / of;
  const full = Math.floor(share * width);
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
}
