/** A body that is made of files of the checkout, relative to the spec file. */
export type EndpointContent = { kind: 'file'; file: string } | { kind: 'multipart'; parts: MultipartPart[] };

/** A field of a form, or a file in one; `type` is its content type, `fileName` what the server is told that it is called. */
export type MultipartPart =
  | { name: string; text: string }
  | { name: string; file: string; fileName: string; type: string };

/** A body, and the content type that it has where the endpoint names no other. */
export interface WrittenContent {
  body: string | Uint8Array;
  contentType: string;
}

/** Of a file that is sent as a body, or as a part of one. */
export const MOST_BODY_BYTES = 16 * 1024 ** 2;

/** Files that a content is made of, each once. */
export function filesOfContent(content: EndpointContent): string[] {
  if (content.kind === 'file') return [content.file];
  return [...new Set(content.parts.flatMap((part) => ('file' in part ? [part.file] : [])))];
}
