import { UnreadableOutput } from './definition.ts';

const LOOKED_AT = 1000;

/**
 * Of a text that was read as UTF-8. UTF-16 shows by its zero bytes: every second one of ASCII. Throws `UnreadableOutput`, since with
 * those no line of a generator is found.
 */
export function refuseUtf16(text: string): void {
  const beginning = text.slice(0, LOOKED_AT);
  const zeros = beginning.split('\0').length - 1;
  if (zeros * 4 <= beginning.length) return;
  throw new UnreadableOutput(
    'This text is encoded as UTF-16, as the > of Windows PowerShell writes it. Give it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE, or in PowerShell: Get-Content FILE | Out-File -Encoding utf8 OTHER.',
  );
}
