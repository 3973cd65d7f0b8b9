export const PRESET_NAMES = ['standard', 'quick', 'abstract-rest', 'users-1000', 'hardware-tax', 'event-pong'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** Where neither a preset nor a generator is written. */
export const USUAL_PRESET = 'standard' satisfies PresetName;

/** Whole loads under one name. What stands beside `preset` in the file replaces these key by key. */
export const PRESETS = {
  /** The Apostol matrix. */
  standard: {
    wrk: { threads: 4, connections: [100, 1000], 'keep-alive': ['on', 'off'], duration: '10s', timeout: '2s' },
    k6: { rate: '60%', connections: [50], 'keep-alive': ['on'], duration: '10s', timeout: '10s' },
  },
  quick: {
    wrk: { threads: 2, connections: [64], 'keep-alive': ['on', 'off'], duration: '2s', timeout: '2s' },
    'warm-up': '1s',
    'cool-down': '500ms',
  },
  'abstract-rest': {
    wrk: { threads: 8, connections: [512], 'keep-alive': ['on'], duration: '2m', timeout: '10s' },
  },
  'users-1000': {
    ab: { requests: 10_000, connections: [128], 'keep-alive': ['off'] },
  },
  'hardware-tax': {
    ab: { requests: 100_000, connections: [1000], 'keep-alive': ['off'] },
  },
  'event-pong': {
    wrk: {
      threads: { 2: 1, 400: 2, 20000: 4 },
      connections: [2, 400, 20_000],
      'keep-alive': ['on'],
      duration: '60s',
      timeout: '2s',
    },
  },
} as const satisfies Record<PresetName, object>;

/** One sentence each, for the reference. */
export const PRESET_MEANINGS: Record<PresetName, string> = {
  standard:
    'wrk, 4 threads, 100 and 1000 connections, keep-alive on and off, and k6 at 60 % of capacity, 50 connections, 10 s each',
  quick: 'a first look: wrk, 2 threads, 64 connections, keep-alive on and off, 2 s each after 1 s of warm-up',
  'abstract-rest': 'wrk, 8 threads, 512 connections, keep-alive, 2 minutes, answers may take 10 s',
  'users-1000': 'ab, 10,000 requests over 128 connections, without keep-alive',
  'hardware-tax': 'ab, 100,000 requests over 1000 connections, without keep-alive',
  'event-pong': 'wrk, 1 thread for 2 connections, 2 for 400, 4 for 20,000, keep-alive, 1 minute each',
};
