import colors from 'picocolors';

/** Of standard output; 100 where it is no terminal, so that a log reads as a terminal does. */
export function outputWidth(): number {
  return process.stdout.isTTY === true ? (process.stdout.columns ?? 100) : 100;
}

/** Colours for standard output, where it takes them. */
export function outputColors(): ReturnType<typeof colors.createColors> {
  return colors.createColors(process.stdout.isTTY === true && colors.isColorSupported);
}
