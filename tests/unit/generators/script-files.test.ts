import { describe, expect, it } from 'vitest';
import { type ScriptFolder, scriptFiles } from '../../../src/core/generators/script-files.ts';
import { referencesIn } from '../../../src/core/generators/script-references.ts';

function folderOf(files: Record<string, string>): ScriptFolder {
  return {
    content: async (path) => (files[path] === undefined ? null : new TextEncoder().encode(files[path])),
    isFile: async (path) => files[path] !== undefined,
    async list(folder, most) {
      const found = Object.keys(files).filter((path) => folder === '' || path.startsWith(`${folder}/`));
      return found.length > most ? null : found;
    },
  };
}

async function ofScript(script: string, files: Record<string, string>) {
  const { companions, problems } = await scriptFiles(script, script.endsWith('.lua') ? 'lua' : 'js', folderOf(files));
  return { companions: [...companions.keys()].sort(), problems };
}

describe('what goes with a script', () => {
  it('of wrk is what it opens, and what it requires', async () => {
    const script = `
      local f = io.open("paths.txt", "r") -- not "notes.txt"
      local users = require "lib.users"
      --[[ dofile("old.lua") ]]
      dofile('more.lua') for l in io.lines([[long.txt]]) do end`;
    const files = {
      ...{ 'bench/a.lua': script, 'bench/paths.txt': '', 'bench/lib/users.lua': 'return io.open("users.csv")' },
      ...{ 'bench/users.csv': '', 'bench/more.lua': '', 'bench/long.txt': '', 'bench/old.lua': '' },
      ...{ 'bench/notes.txt': '', 'paths.txt': '' },
    };
    expect(await ofScript('bench/a.lua', files)).toEqual({
      companions: ['bench/lib/users.lua', 'bench/long.txt', 'bench/more.lua', 'bench/paths.txt', 'bench/users.csv'],
      problems: [],
    });
  });

  it('of k6 is what it opens and imports, from wherever that lies in the folder of the spec', async () => {
    const script = `
      import http from 'k6/http';
      import { name } from '../lib/names.js';
      // import './old.js';
      const users = new SharedArray('users', () => JSON.parse(open('./users.json')));
      export default function () { http.get(\`http://a/\${name}\`); }`;
    const files = {
      ...{ 'bench/a.js': script, 'bench/users.json': '[]', 'bench/old.js': '' },
      ...{ 'lib/names.js': "export const name = open('names.txt');", 'lib/names.txt': '' },
    };
    expect(await ofScript('./bench/a.js', files)).toEqual({
      companions: ['bench/users.json', 'lib/names.js', 'lib/names.txt'],
      problems: [],
    });
  });

  it('is nothing where it names nothing, however much lies beside it', async () => {
    const files = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`${index}.txt`, '']));
    const script = "import http from 'k6/http'; const body = open(__ENV.WRKBENCH_BODY_FILE); export default () => {};";
    expect(await ofScript('a.js', { ...files, 'a.js': script })).toEqual({ companions: [], problems: [] });
    expect(await ofScript('a.lua', { ...files, 'a.lua': 'local r = require("ffi")' })).toEqual({
      companions: [],
      problems: [],
    });
  });

  it('is all of its folder where it makes names up, or a problem where that is too much', async () => {
    const script = 'for n = 1, 2 do io.open("part-" .. n .. ".txt") end';
    const files = { 'bench/a.lua': script, 'bench/part-1.txt': '', 'bench/part-2.txt': '', 'other.txt': '' };
    expect(await ofScript('bench/a.lua', files)).toEqual({
      companions: ['bench/part-1.txt', 'bench/part-2.txt'],
      problems: [],
    });
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`bench/${index}.txt`, '']));
    expect((await ofScript('bench/a.lua', { ...files, ...many })).problems).toEqual([
      'reads files beside it, and these are more than 1000 files: put the script and its files into a folder of their own',
    ]);
    const large = { 'bench/part-3.txt': 'x'.repeat(33 * 1024 ** 2) };
    expect((await ofScript('bench/a.lua', { ...files, ...large })).problems).toEqual([
      'reads files beside it, and these are more than 32 MiB: put the script and its files into a folder of their own',
    ]);
  });

  it.each([
    ['a.lua', 'for l in io.lines("parts/" .. n) do end'],
    ['a.js', "open('parts/' + __ENV.PART)"],
    ['a.js', 'open(`parts/${__ENV.PART}`)'],
  ])('is not missed under a name that has only begun: %s', async (script, text) => {
    expect(await ofScript(script, { [script]: text, 'parts/1': '' })).toEqual({
      companions: ['parts/1'],
      problems: [],
    });
  });

  it('is missed where the script cannot do without it', async () => {
    const js = "import './lib.js'; const users = open('./users.json'); import('../../out.js'); open('.git/config');";
    const all = { 'bench/a.js': js, 'bench/lib.js': "open('none.txt')", '.git/config': '', 'bench/.git/config': '' };
    expect(await ofScript('bench/a.js', all)).toEqual({
      companions: ['bench/lib.js'],
      problems: [
        'reads `./users.json`, and there is no such file beside it',
        'reads `.git/config`, which lies outside of the folder of the spec',
        'reads `../../out.js`, which lies outside of the folder of the spec',
        'reads `none.txt`, and there is no such file beside it (in bench/lib.js)',
      ],
    });
    const lua =
      'for l in io.lines("a.txt") do end\nlocal f = assert(io.open("b.txt"))\nlocal g = io.open("may-be.txt")';
    expect((await ofScript('a.lua', { 'a.lua': lua })).problems).toEqual([
      'reads `a.txt`, and there is no such file beside it',
      'reads `b.txt`, and there is no such file beside it',
    ]);
  });

  it.each(['/*', '`', '"', '--[[', '[==[', "'\\", 'open(', 'require   '])(
    'is read in time from a text of %s',
    (part) => {
      for (const language of ['js', 'lua'] as const) {
        // In any other order of growth it would take more than the test may.
        expect(referencesIn(part.repeat(100_000), language).needed).toEqual([]);
      }
    },
  );
});
