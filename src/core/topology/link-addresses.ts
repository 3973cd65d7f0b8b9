/** The two ends of the link between the machine and the network of one side. */
export interface LinkAddresses {
  /** The machine's end. */
  machine: string;
  /** The side's end, where the machine reaches it. */
  side: string;
}

/** 198.18.0.0/15 is set aside for benchmarks (RFC 2544), so that nobody has a use of it; each link takes four addresses. */
export const LINKS = 2 ** 15;
export const LINK_PREFIX = 30;

/** Those of a link by its number, from 0; numbers beyond the last begin anew. */
export function linkAddresses(number: number): LinkAddresses {
  const first = (number % LINKS) * 4;
  const addressAt = (offset: number) => {
    const host = first + offset;
    return `198.${18 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`;
  };
  return { machine: addressAt(1), side: addressAt(2) };
}
