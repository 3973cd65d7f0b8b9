/** What came back for one request, or why nothing did. */
export type Answer =
  | {
      kind: 'answered';
      status: number;
      /** Names in lower case. */
      headers: Record<string, string>;
      body: Uint8Array;
      /** On the wire, status line and headers included; as sent, before any decoding. */
      wireBytes: number;
      /** Its body has no length and is not chunked: only the end of the connection ends it. */
      endsWithConnection?: true;
    }
  | { kind: 'failed'; message: string };
