import type { Account } from './asking/logins.ts';
import { filesCalled, isSource, matchesOf, type RepositoryFile } from './files.ts';

const MOST = 4;
const LONGEST = 200_000;

/** A value as people set it apart: `admin`, **admin**, "admin", or behind a colon. */
const SET_APART = String.raw`\W{0,8}[\`*"':=]\s{0,2}([\w.@+!#$%-]{2,64})`;
const USER = '(?:user ?name|user|login|e-?mail(?: address)?)';
const PASSWORD = 'pass(?:word)?';

const TOLD: readonly RegExp[] = [
  // username **admin** and password **secret**; - Email: a@b.test, - Password: secret
  new RegExp(
    String.raw`\b${USER}${SET_APART}\W{1,12}(?:(?:and|with)\s{1,3})?(?:(?:the|a)\s{1,3})?${PASSWORD}${SET_APART}`,
    'gi',
  ),
  // the default `admin` account with password `secret`
  new RegExp(
    String.raw`[\`*"']([\w.@+-]{2,64})[\`*"']{1,3}\s{1,3}(?:account|user)\s{1,3}with\s{1,3}(?:the\s{1,3})?${PASSWORD}${SET_APART}`,
    'gi',
  ),
  // default login: `admin:secret`, demo credentials (admin / secret)
  /\b(?:default|initial|demo|test)\s{1,3}(?:login|user|account|credentials?)\W{1,20}([\w.@+-]{2,64})\s?[:/]\s?([\w.@+!#$%-]{2,64})/gi,
];

/** What stands where an account's own name or password would. */
const NOBODY =
  /^(?:user(?:name)?|your[\w-]*|name|e-?mail|password|passwd|secret|x{3,}|\$\w+|is|are|and|or|with|the|for|https?)$/i;
/** Accounts of a database, in a README that shows how to start one. */
const OF_DATABASE = /^(?:postgres|root|mysql|sa|mongo)$/i;

/** The accounts that a README says a service has from the start, or that a seed gives it: with them somebody can log in. */
export function toldAccounts(files: readonly RepositoryFile[]): Account[] {
  const found = [...accountsOfReadmes(files), ...files.filter(({ path }) => isSeed(path)).flatMap(accountsOfSeed)];
  return [...new Map(found.map((each) => [`${each.user}\n${each.password}`, each])).values()].slice(0, MOST);
}

function accountsOfReadmes(files: readonly RepositoryFile[]): Account[] {
  return filesCalled(files, /^readme(?:\.\w+)?\.(?:md|rst|adoc|txt)$/i).flatMap(({ path, content }) =>
    TOLD.flatMap((pattern) => matchesOf(content.slice(0, LONGEST), pattern, MOST)).flatMap(([, user, password]) => {
      const value = password!.replace(/[.!]+$/, '');
      if (NOBODY.test(user!) || OF_DATABASE.test(user!) || NOBODY.test(value)) return [];
      return [{ user: user!, password: value, from: path }];
    }),
  );
}

function isSeed(path: string): boolean {
  return isSource(path) && !path.endsWith('.sql') && /(?:^|[/._-])(?:db_?)?seed(?:s|er|ers|ing)?(?=[/._-])/i.test(path);
}

const NAME_OF_USER = /(?<![\w.])(?:user_?name|user|login|e-?mail)['"]?\s{0,2}[:=]\s{0,2}(['"`])([\w.@+-]{2,64})\1/gi;
/** Plain, or as what hashes it is given it. */
const PASSWORD_OF_USER =
  /pass(?:word|wd)?(?:_?hash|_?digest)?['"]?\s{0,2}[:=]\s{0,2}(?:await\s{1,2})?(?:[\w.]{1,60}\(\s{0,10})?(['"`])([^'"`\s]{2,64})\1/gi;
/** Characters between both: more, and they are of two people. */
const NEAR = 600;

/** Each name with the password that stands nearest to it. */
function accountsOfSeed({ path, content }: RepositoryFile): Account[] {
  const text = content.slice(0, LONGEST);
  const passwords = matchesOf(text, PASSWORD_OF_USER, MOST * 4).filter(
    ([, , value]) => !/^\$(?:2[aby]?|argon)/.test(value!),
  );
  return matchesOf(text, NAME_OF_USER, MOST).flatMap(({ 2: user, index }) => {
    const apart = (match: RegExpMatchArray) => Math.abs(match.index! - index!);
    const [nearest] = passwords.toSorted((a, b) => apart(a) - apart(b));
    return nearest === undefined || apart(nearest) > NEAR ? [] : [{ user: user!, password: nearest[2]!, from: path }];
  });
}
