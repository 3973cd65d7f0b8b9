/** Whose a sentence is, before it: `go: The image …`. One that begins with the name has it once: `go was asked …`, `Service go exited …`. */
export function ownedSentence(owner: string, sentence: string): string {
  const isNamed = [`${owner} `, `${owner}: `, `Service ${owner} `].some((start) => sentence.startsWith(start));
  return isNamed ? sentence : `${owner}: ${sentence}`;
}

/** The sentence alone, where it is told already whose it is. */
export function withoutOwner(owner: string, sentence: string): string {
  return sentence.startsWith(`${owner}: `) ? sentence.slice(owner.length + 2) : sentence;
}
