/** How many CPUs a list in the kernel's notation names: `0,2-3` → 3. */
export function cpuCountOf(list: string): number {
  return list.split(',').reduce((count, part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return count + Number(last) - Number(first) + 1;
  }, 0);
}
