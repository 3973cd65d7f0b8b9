import { ForgeFailure } from '../ports/forge.ts';

/**
 * What `read` gives; where the forge fails, `fallback`, and what follows from that is told (`consequence`, the beginning of
 * a sentence). No other error is caught.
 */
export async function withFallback<T, const F>(
  fallback: F,
  consequence: string,
  warn: (text: string) => void,
  read: () => Promise<T>,
): Promise<T | F> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ForgeFailure)) throw error;
    warn(`${consequence}: ${error.message}`);
    return fallback;
  }
}
