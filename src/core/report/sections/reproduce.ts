import { reproduceCommands } from '../comparison/reproduction.ts';
import type { Block, Section } from '../document.ts';
import type { ReportView } from '../view.ts';

/** The commands that measure the same again. */
export function reproduce({ record }: ReportView): Section {
  const blocks: Block[] = [
    { kind: 'code', language: 'bash', text: reproduceCommands(record).join('\n') },
    {
      kind: 'paragraph',
      text:
        'The seed gives the same order of services and cases. Figures of another machine, or of the same one at ' +
        'another time, are not comparable with these: compare variants that were measured side by side.',
    },
    {
      kind: 'paragraph',
      text: `Measured with wrkbench ${record.tool.version}, run ${record.id}, ${record.startedAt}.`,
    },
  ];
  return { id: 'reproduce', title: 'How to reproduce', blocks };
}
