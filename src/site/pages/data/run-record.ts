/** Apart, so that only a page which shows a run loads what reads one. */
export { readRunRecord, UnreadableRecord } from '../../../core/record/run-record-file.ts';
