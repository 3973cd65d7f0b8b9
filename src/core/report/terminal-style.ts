/** How a terminal is made to show a text; `plainStyle` where it is none. picocolors' colours fit. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

const asItIs = (text: string) => text;
export const plainStyle: Style = { bold: asItIs, dim: asItIs, red: asItIs, green: asItIs, yellow: asItIs };
