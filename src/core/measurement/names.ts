export type Route = 'direct' | 'gateway';
export type Variant = 'baseline' | 'candidate';

/** As part of a case's key. */
export type KeepAliveName = 'keep-alive' | 'keep-alive-off';
export function keepAliveName(keepAlive: boolean): KeepAliveName {
  return keepAlive ? 'keep-alive' : 'keep-alive-off';
}

/** Number of the round that the published figures are from; those that compare count from 1. */
export const PUBLISHING_ROUND = 0;

/** Why something is as it is: `code` for programs, `message` for people, one sentence. */
export interface Reason {
  code: string;
  message: string;
}
