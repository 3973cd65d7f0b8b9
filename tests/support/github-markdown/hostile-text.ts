import fc from 'fast-check';

/** Of which Markdown, GitHub's links and the elements of HTML are made. */
export const PIECES = [
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ \n\t\r0123456789abfxyz',
  ...[
    'www.',
    'http://',
    'https://',
    'ftp://',
    'mailto:',
    'xmpp:',
    'evil.example',
    'a@b.example',
    '@octocat',
    '@acme/team',
  ],
  ...[
    '#1',
    'acme/api#1',
    'GH-1',
    '3f2c1ab',
    '9d0e77c1a2b3c4d5e6f708192a3b4c5d3f2c1ab0',
    ':tada:',
    '[^1]',
    '[^1]: ',
    '[ ] ',
  ],
  ...[
    '```',
    '~~~',
    '$$',
    '](',
    '![',
    '<!--',
    '-->',
    '<b>',
    '</details>',
    '&#64;',
    '&amp;',
    '# ',
    '- ',
    '1. ',
    '> ',
    '---',
    '===',
    ':-',
  ],
  ...['\u200b', '\u202e', '\u00a0', '\u2028', '\ufeff', '\u200d', 'é', '漢', '🔴', 'ש', '\u0301'],
] as const;

/** Something of a letter that is seen. */
export const hostileText = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: 'binary', maxLength: 3 })), {
    minLength: 1,
    maxLength: 14,
  })
  .map((pieces) => pieces.join(''))
  .filter((text) => text.trim() !== '');
