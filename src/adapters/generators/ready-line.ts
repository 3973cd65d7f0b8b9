/**
 * Takes the line by which a program says that it is ready off the beginning of its output. The rest goes to `rest` as it
 * comes; all of it does where the output begins otherwise.
 */
export function withoutReadyLine(
  line: string,
  onReady: () => void,
  rest: (chunk: Buffer) => void,
): (chunk: Buffer) => void {
  const awaited = Buffer.from(`${line}\n`);
  let begun: Buffer | null = Buffer.alloc(0);
  return (chunk) => {
    if (begun === null) return rest(chunk);
    begun = Buffer.concat([begun, chunk]);
    const compared = Math.min(begun.length, awaited.length);
    const agrees = begun.subarray(0, compared).equals(awaited.subarray(0, compared));
    if (agrees && begun.length < awaited.length) return;
    const own = agrees ? begun.subarray(awaited.length) : begun;
    begun = null;
    if (own.length > 0) rest(own);
    if (agrees) onReady();
  };
}
