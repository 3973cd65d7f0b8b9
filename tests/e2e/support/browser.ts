import { type Browser, chromium } from 'playwright-core';

/** The system's Chromium, which asks nobody for anything by itself. */
export function browserOf(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
