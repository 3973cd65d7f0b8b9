/** What no request line may hold is percent-encoded; what a person has encoded stays as it is. */
export function requestTarget(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/gu, (text) =>
    Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
      '',
    ),
  );
}
