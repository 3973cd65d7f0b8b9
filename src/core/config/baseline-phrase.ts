import { UserError } from '../user-error.ts';

/** What a run is compared with, as a spec or the command line says it. */
export type BaselinePhrase =
  | { kind: 'auto' }
  | { kind: 'stored' }
  | { kind: 'none' }
  /** `service` null: that of the only subject. */
  | { kind: 'image'; service: string | null; reference: string }
  | { kind: 'commit'; ref: string }
  | { kind: 'record'; path: string };

const IMAGE = 'image:(?:[A-Za-z0-9][A-Za-z0-9._-]{0,62}=)?[A-Za-z0-9][A-Za-z0-9._/:@-]{0,511}';
/** All that git takes for the name of a commit (`main`, `v1.2`, `HEAD~1`, `main@{1}`), and no option. */
const COMMIT = 'commit:(?![-^])[^\\s\\p{Cc}:?*[\\]\\\\]{1,256}';
const RECORD_IN_FOLDER = 'record:(?![-/])(?!(?:.*\\/)?\\.\\.(?:\\/|$))[^\\\\\\p{Cc}]{1,1024}';
/** Who types a command may name any file. */
const RECORD_ANYWHERE = 'record:(?!-)[^\\p{Cc}]{1,1024}';

/** `gate.baseline` of a spec; a record's path stays inside the spec's folder. */
export const WRITTEN_BASELINE = new RegExp(`^(?:auto|stored|none|${IMAGE}|${COMMIT}|${RECORD_IN_FOLDER})$`, 'u');
/** `gate.anchor` of a spec. */
export const WRITTEN_ANCHOR = new RegExp(`^(?:${IMAGE}|${COMMIT}|${RECORD_IN_FOLDER})$`, 'u');
const GIVEN_BASELINE = new RegExp(`^(?:auto|stored|none|${IMAGE}|${COMMIT}|${RECORD_ANYWHERE})$`, 'u');

export const BASELINE_FORMS = 'auto, stored, none, image:REFERENCE, commit:REF or record:PATH';
export const ANCHOR_FORMS = 'image:REFERENCE, commit:REF or record:PATH';

/** The phrase of a command line (`--baseline`) or of a spec. Throws `UserError`. */
export function readBaselinePhrase(text: string): BaselinePhrase {
  if (!GIVEN_BASELINE.test(text)) {
    throw new UserError(`The baseline is ${shown(text)}: expected ${BASELINE_FORMS}.${hint(text)}`);
  }
  if (text === 'auto' || text === 'stored' || text === 'none') return { kind: text };
  const colon = text.indexOf(':');
  const rest = text.slice(colon + 1);
  switch (text.slice(0, colon)) {
    case 'commit':
      return { kind: 'commit', ref: rest };
    case 'record':
      return { kind: 'record', path: rest };
    default: {
      const equals = rest.indexOf('=');
      return equals < 0
        ? { kind: 'image', service: null, reference: rest }
        : { kind: 'image', service: rest.slice(0, equals), reference: rest.slice(equals + 1) };
    }
  }
}

function shown(text: string): string {
  const plain = text.replaceAll(/\p{Cc}/gu, '?');
  return `\`${plain.length > 80 ? `${plain.slice(0, 79)}…` : plain}\``;
}

/** Who leaves out the kind most likely names a commit or a file. */
function hint(text: string): string {
  if (GIVEN_BASELINE.test(`record:${text}`) && /\.json$|^\.{0,2}\//.test(text)) return ` Did you mean record:${text}?`;
  if (/^[A-Za-z0-9]/.test(text) && GIVEN_BASELINE.test(`commit:${text}`)) return ` Did you mean commit:${text}?`;
  return '';
}
