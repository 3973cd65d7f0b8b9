import { nearest } from '../../config/nearest.ts';
import { quoted } from '../../format/quoted.ts';
import { blockMarkdownAt, inlineMarkdown } from '../markdown/blocks.ts';
import { BLOCK_NAMES, BLOCKS, type BlockDefinition, type Piece } from './blocks.ts';
import { BadMarker, type BlockPart, readParts } from './markers.ts';
import { type LabelledRun, selectedRun } from './runs.ts';
import { figureText } from './values.ts';

export interface WrittenReport {
  text: string;
  /** How many of each the text has. */
  blocks: number;
  values: number;
}

/**
 * The text with each block and value made anew from the runs; all else is as it was, to the last byte. Made of its own result it is
 * the same. Throws `BadMarker`, also where the text has no marker at all.
 */
export function writtenReport(text: string, runs: readonly LabelledRun[]): WrittenReport {
  const parts = readParts(text);
  const blocks = parts.filter(({ kind }) => kind === 'block').length;
  const values = parts.filter(({ kind }) => kind === 'value').length;
  if (blocks + values === 0) {
    throw new BadMarker(
      1,
      'there is no block and no value of wrkbench to fill: add the lines <!-- wrkbench:begin results --> and <!-- wrkbench:end -->',
    );
  }
  const lineBreak = /\r\n/.test(text) && !/(?<!\r)\n/.test(text) ? '\r\n' : '\n';
  const written = parts.map((part) => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'value') {
      return `${part.open}${inert(inlineMarkdown(figureText(part.words, runs, part.line), true))}${part.close}`;
    }
    const content = inert(blockText(part, runs));
    const filled = content === '' ? '' : `\n${content}\n\n`;
    return `${part.begin}${filled.replaceAll('\n', lineBreak)}${part.end}`;
  });
  return { text: written.join(''), blocks, values };
}

/** Names of others must not be markers when the text is read again: in code nothing else of them is escaped. */
function inert(markdown: string): string {
  return markdown.replaceAll(/<!--(?=\s*\/?wrkbench:)/g, '<!\u200b--');
}

const OPTIONS = ['base', 'heading', 'only', 'run'];

function blockText({ name, options, line }: BlockPart, runs: readonly LabelledRun[]): string {
  const definition = BLOCKS.find((each) => each.name === name);
  if (definition === undefined) {
    const near = nearest(name, BLOCK_NAMES);
    const advice = near === null ? `There are ${BLOCK_NAMES.join(', ')}` : `Is \`${near}\` meant?`;
    throw new BadMarker(line, `there is no block ${quoted(name)}. ${advice}`);
  }
  const given = givenOptions({ options, line }, definition);
  const selected = runsOf(given, runs, line);
  const found = definition.blocks(selected, { base: given.base, isSelection: given.only !== null });
  const title = options.has('heading') ? [`## ${inlineMarkdown(options.get('heading') ?? definition.title)}`] : [];
  const said = found.flatMap(pieceTexts).join('\n\n');
  // The author's own heading above it is there whatever the runs hold.
  if (said === '') return title.length > 0 ? '' : '*Not measured.*';
  return [...title, said].join('\n\n');
}

function pieceTexts({ label, blocks }: Piece): string[] {
  const level = label === null ? 3 : 4;
  const texts = blocks.map((block) => blockMarkdownAt(level, block)).filter((text) => text !== '');
  return label === null || texts.length === 0 ? texts : [`### ${inlineMarkdown(label)}`, ...texts];
}

interface GivenOptions {
  base: string | null;
  only: string | null;
  run: string | null;
}

function givenOptions(
  { options, line }: Pick<BlockPart, 'options' | 'line'>,
  { name, isSelection }: BlockDefinition,
): GivenOptions {
  for (const [option, value] of options) {
    if (!OPTIONS.includes(option)) {
      const near = nearest(option, OPTIONS);
      throw new BadMarker(
        line,
        `the option ${quoted(option)} is unknown. ${near === null ? `There are ${OPTIONS.join(', ')}` : `Is \`${near}\` meant?`}`,
      );
    }
    if (value === null && option !== 'heading') {
      throw new BadMarker(line, `the option \`${option}\` has no value: write it as ${option}="…"`);
    }
  }
  const value = (option: string) => options.get(option) ?? null;
  const given = { base: value('base'), only: value('only'), run: value('run') };
  if (given.base !== null && name !== 'across') {
    throw new BadMarker(line, `the option \`base\` is one of the block \`across\`, not of \`${name}\``);
  }
  if (given.only !== null && !isSelection) {
    throw new BadMarker(
      line,
      `the block \`${name}\` is about the whole run: the option \`only\` has nothing to choose`,
    );
  }
  return given;
}

function runsOf({ base, only, run }: GivenOptions, runs: readonly LabelledRun[], line: number): LabelledRun[] {
  const labels = runs.map(({ label }) => label);
  for (const name of [run, base]) {
    if (name !== null && !labels.includes(name)) {
      throw new BadMarker(line, `no run is named ${quoted(name)}; there are ${labels.map(quoted).join(', ')}`);
    }
  }
  const named = runs.filter(({ label }) => run === null || label === run);
  if (only === null) return named;
  const selected = named.map((each) => selectedRun(each, only));
  if (selected.every(({ record }) => record.cases.length === 0)) {
    throw new BadMarker(
      line,
      `only=${quoted(only)} fits no case: it is matched against whole case keys, services and endpoints, * is any text, and {a,b} either`,
    );
  }
  return selected;
}
