/** Fewer letters of an encoded form stand in many a text by chance. */
const SHORTEST = 8;

/**
 * A secret as programs print it encoded: for a URL, in JSON, in hexadecimal, and in base64 wherever it stands in what was encoded
 * (a header `Basic` holds `user:password`). The secret itself is none of them.
 *
 *     base64 of three bytes at a time      |u s e|r : s|3 c r|e t …      three ways to fall on them
 */
export function encodedForms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  const base64 = [0, 1, 2].map((before) => base64Inside(bytes, before));
  const forms = [
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    hex.join(''),
    hex.join('').toUpperCase(),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(forms)].filter((form) => form !== secret && form.length >= SHORTEST);
}

/** The letters that depend on these bytes alone, where so many others come before them. */
function base64Inside(bytes: Uint8Array, before: number): string {
  const all = new Uint8Array(before + bytes.length);
  all.set(bytes, before);
  const text = btoa(String.fromCharCode(...all)).replace(/=+$/, '');
  const first = Math.ceil((before * 8) / 6);
  const last = Math.floor(((before + bytes.length) * 8) / 6);
  return text.slice(first, last);
}
