export interface DataBranchOptions {
  /** Address of the repository, as git takes it. */
  remote: string;
  /** Without `refs/heads/`. */
  branch: string;
  /** Of GitHub, for an address of its server alone; null where git finds a way by itself. */
  token: string | null;
  /** How long others may be first before this gives up. */
  patienceSeconds?: number;
  /** Before each further try where the network fails. */
  pausesMs?: readonly number[];
}
