import { printedSecretsAmong } from '../../core/record/redaction.ts';
import type { RequestValues } from '../../core/requests/request-values.ts';
import type { Testbed } from '../ports/testbed.ts';

/**
 * What stands for `${login.NAME}` and `${env.NAME}` in requests to the testbeds that are up, by where they are reached: that of each user
 * that has logged in. A testbed whose login is made anew has others from then on.
 */
export interface ValuesByOrigin {
  set(testbed: Pick<Testbed, 'origins'>, users: readonly RequestValues[]): void;
  /** Of one that goes down; another one that is reached where it was keeps its own. */
  forget(testbed: Pick<Testbed, 'origins'>, users: readonly RequestValues[]): void;
  /** Null where nothing stands for anything. */
  at(origin: string): readonly RequestValues[] | null;
  /** Of a testbed that is still logged in to: what it has taken so far is a secret already. */
  learn(values: RequestValues): void;
  /** All of them as programs may print them, of testbeds that went down lately as well. */
  printed(): readonly string[];
}

/**
 * What was taken is looked for in texts of its own time: enough for what is up, and for what goes down while the next comes up. All that
 * 100 users take in 20 rounds would take longer to look for than a trial takes.
 */
const REMEMBERED = 8;
/** Of logins on their way, each with its encoded forms. */
const MOST_LEARNT = 1000;

export function valuesByOrigin(): ValuesByOrigin {
  const known = new Map<string, readonly RequestValues[]>();
  const printed: string[][] = [];
  let learnt: string[] = [];
  const originsOf = ({ origins }: Pick<Testbed, 'origins'>) => Object.values(origins);
  return {
    set(testbed, users) {
      for (const origin of originsOf(testbed)) known.set(origin, users);
      printed.unshift(printedSecretsAmong(users.flatMap((each) => Object.values(each))));
      printed.splice(REMEMBERED);
    },
    learn(values) {
      learnt = [...printedSecretsAmong(Object.values(values)), ...learnt].slice(0, MOST_LEARNT);
    },
    forget(testbed, users) {
      for (const origin of originsOf(testbed)) if (known.get(origin) === users) known.delete(origin);
    },
    at: (origin) => known.get(origin) ?? null,
    printed: () => [...learnt, ...printed.flat()],
  };
}
