export type DependencyPart = `dependency ${string}`;

/** What a testbed consists of. The name itself is what errors call it, behind `The`. */
export type TestbedPart = 'service' | 'database' | 'pooler' | 'gateway' | DependencyPart;

export function dependencyPart(name: string): DependencyPart {
  return `dependency ${name}`;
}

/** Code of a failure that is the end of a part. */
export type PartFailureCode = 'exited' | 'database-exited' | 'pooler-failed' | 'gateway-failed' | 'dependency-failed';

export function endCode(part: TestbedPart): PartFailureCode {
  switch (part) {
    case 'service':
      return 'exited';
    case 'database':
      return 'database-exited';
    case 'pooler':
      return 'pooler-failed';
    case 'gateway':
      return 'gateway-failed';
    default:
      return 'dependency-failed';
  }
}

/** `The dependency redis`. */
export function partTitle(part: TestbedPart): string {
  return `The ${part}`;
}
