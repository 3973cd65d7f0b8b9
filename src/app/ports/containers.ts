import type { ImageFact } from '../../core/doctor/images.ts';

/** What the engine of this machine has of what containers are made from; asked, and nothing is pulled. */
export interface ContainerFacts {
  /** Each within some seconds: whether it is here, or its registry offers it. */
  images(references: readonly string[]): Promise<ImageFact[]>;
  /** Version of a plugin of the `docker` command; null where there is none. */
  plugin(name: 'buildx' | 'compose'): Promise<string | null>;
}
