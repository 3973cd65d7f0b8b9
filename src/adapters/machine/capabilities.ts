import { kernelText } from './kernel-files.ts';

/** As the kernel numbers them. */
const NUMBERS = { CAP_NET_ADMIN: 12n, CAP_SYS_RESOURCE: 24n } as const;

/** Root inside a container often lacks what root is known for. False where the kernel does not tell. */
export function hasCapability(name: keyof typeof NUMBERS, pid: number | 'self' = 'self'): boolean {
  const match = /^CapEff:\s*([0-9a-f]+)/m.exec(kernelText(`/proc/${pid}/status`) ?? '');
  return match !== null && (BigInt(`0x${match[1]}`) & (1n << NUMBERS[name])) !== 0n;
}
