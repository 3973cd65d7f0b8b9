/** Reads the kernel's notation of a set of CPUs (`0`, `0-1`, `0,2-3`) into ascending numbers; null where it is none. */
export function parseCpuList(text: string): number[] | null {
  const cpus = new Set<number>();
  const parts = text
    .trim()
    .split(',')
    .map((part) => part.trim());
  for (const part of parts) {
    const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part);
    if (!match) return null;
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    if (last < first) return null;
    for (let cpu = first; cpu <= last; cpu += 1) cpus.add(cpu);
  }
  return [...cpus].sort((a, b) => a - b);
}

/** Writes a set of CPUs in the kernel's notation; '' for none. */
export function formatCpuList(cpus: readonly number[]): string {
  const sorted = [...new Set(cpus)].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const cpu of sorted) {
    const open = ranges.at(-1);
    if (open && cpu === open[1] + 1) open[1] = cpu;
    else ranges.push([cpu, cpu]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
