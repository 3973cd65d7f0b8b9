import { documentForLog, forLog, jsonForLog } from './log.ts';

/** All that the command writes goes through here: nothing else in `entry` writes to standard output or error. */

export function print(text: string): void {
  process.stdout.write(forLog(text));
}

export function printError(text: string): void {
  process.stderr.write(forLog(text));
}

export function printJson(value: unknown): void {
  printJsonText(`${JSON.stringify(value, null, 2)}\n`);
}

export function printJsonText(json: string): void {
  process.stdout.write(jsonForLog(json));
}

/** A report in one of its formats. */
export function printDocument(text: string): void {
  process.stdout.write(documentForLog(text));
}
