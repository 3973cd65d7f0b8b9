/** One thing that was looked at. A `problem` stops a run, a `warning` does not, an `ok` says what was found. */
export interface Finding {
  code: string;
  severity: 'problem' | 'warning' | 'ok';
  /** One or two sentences for a person. */
  message: string;
  /** What mends it, ready to be copied into a shell; null where no command does. */
  command: string | null;
}

export function ok(code: string, message: string): Finding {
  return { code, severity: 'ok', message, command: null };
}

export function warning(code: string, message: string, command: string | null): Finding {
  return { code, severity: 'warning', message, command };
}

export function problem(code: string, message: string, command: string | null): Finding {
  return { code, severity: 'problem', message, command };
}

/** `20,000` */
export function count(value: number): string {
  return Math.floor(value).toLocaleString('en-US');
}

/** `1.5 GiB`, `512 MiB`: binary units, as memory and disks are spoken of here. */
export function size(bytes: number): string {
  const mebibytes = bytes / 1024 ** 2;
  if (mebibytes >= 1024) return `${(mebibytes / 1024).toFixed(1)} GiB`;
  return mebibytes >= 10 ? `${Math.round(mebibytes)} MiB` : `${mebibytes.toFixed(1)} MiB`;
}

/** `7 %` */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
