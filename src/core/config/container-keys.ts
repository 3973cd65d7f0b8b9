/** What a service and a dependency say alike of their container; each absent where it is as the image has it. */
export interface ContainerKeys {
  /** Replaces the image's entrypoint, whose own command goes with it; empty for none. A process is started by these words first. */
  entrypoint?: string[];
  /** `name`, `uid` or `uid:gid`, as the image knows it. */
  user?: string;
  /** File of the checkout, relative to the spec → path in the container, absolute. Nobody may write to it there. */
  files?: Record<string, string>;
  /** Folders in the container, absolute: empty at first, writable for everybody in it, gone with it. */
  volumes?: string[];
}
