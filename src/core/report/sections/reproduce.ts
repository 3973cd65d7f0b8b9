import type { Block, Section } from '../document.ts';
import type { ReportView } from '../view.ts';

/** The commands that measure the same again. */
export function reproduce({ record }: ReportView): Section {
  const { sha } = record.source;
  const commands: string[] = [];
  // A reader copies these lines into a shell: of what strangers wrote, only a commit's hash goes in.
  if (sha !== null && /^[0-9a-f]{7,64}$/.test(sha)) commands.push(`git checkout ${sha}`);
  commands.push(`wrkbench run wrkbench.yml --out again --seed ${record.seed}`);
  const blocks: Block[] = [
    { kind: 'code', language: 'bash', text: commands.join('\n') },
    {
      kind: 'paragraph',
      text:
        'The seed gives the same order of services and cases. Figures of another machine, or of the same one at ' +
        'another time, are not to be held against these: compare variants that were measured side by side.',
    },
    {
      kind: 'paragraph',
      text: `Measured with wrkbench ${record.tool.version}, run ${record.id}, ${record.startedAt}.`,
    },
  ];
  return { id: 'reproduce', title: 'How to reproduce', blocks };
}
