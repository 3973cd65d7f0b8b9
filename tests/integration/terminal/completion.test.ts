// needs: linux
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/spec-folder.ts';

const SCRIPTS = path.resolve('templates/completion');
/** In place of the command: writes down what it is asked, a word a line, and answers as the command does. */
const ANSWERING = `#!/bin/sh
printf '%s\\n' "$@" > asked
printf -- '--format\\tas what\\n--$(touch answered)\\t\\n:4\\n'
`;

/** What a shell has after TAB behind a line, and what the command was asked for that. */
function completed(line: string): { replies: string[]; asked: string[]; left: string[] } {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'wrkbench'), ANSWERING);
  chmodSync(path.join(folder, 'wrkbench'), 0o755);
  const script = `source "$SCRIPTS/completion.bash"
    [[ $(complete -p wrkbench) == 'complete -F __wrkbench_complete wrkbench' ]] || exit 3
    COMP_LINE=$LINE COMP_POINT=\${#LINE} COMP_TYPE=9 COMP_KEY=9
    __wrkbench_complete wrkbench '' ''
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const stdout = execFileSync('bash', ['--norc', '-c', script], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, LINE: line, SCRIPTS },
    encoding: 'utf8',
  });
  const file = path.join(folder, 'asked');
  return {
    replies: stdout.trimEnd().split('\n'),
    asked: existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [],
    left: readdirSync(folder).filter((name) => name !== 'asked' && name !== 'wrkbench'),
  };
}

describe('completions in bash', () => {
  it('are what the command answers to the words so far', () => {
    const { replies, asked } = completed('wrkbench report  --f');
    expect(asked).toEqual(['complete', '--', 'report', '--f']);
    expect(replies).toEqual(['--format', '--$(touch answered)']);
  });

  it('begin a new word behind a blank', () => {
    expect(completed('wrkbench run ').asked).toEqual(['complete', '--', 'run', '']);
  });

  it.each([
    '$(touch pwned)',
    '`touch pwned`',
    '"$(touch pwned)" ',
    '--only=$(touch pwned)=',
    '; touch pwned;',
    '> pwned',
    '<(touch pwned)',
    "'unfinished $(touch pwned)",
  ])('run nothing of what was typed, nor of what was answered: %s', (typed) => {
    const { asked, left } = completed(`wrkbench run ${typed}`);
    expect(left).toEqual([]);
    expect(asked.slice(3).join(' ')).toBe(typed);
  });
});

describe('completions in zsh', () => {
  it('have no second evaluation', () => {
    const text = readFileSync(`${SCRIPTS}/completion.zsh`, 'utf8');
    expect(text).toMatch(/^#compdef wrkbench\n/);
    expect(text).not.toMatch(/\beval\b|\$\{?~|\(e\)/);
  });
});
