/** Variables of whoever runs this, which a spec names as `${env.NAME}`. */
export interface CallerVariables {
  /** Undefined where it is not set, or not for this run: a workflow lists those that specs may have. */
  value(name: string): string | undefined;
  /** What nothing may print, whatever a spec names: passwords of registries. */
  passwords?: readonly string[];
}
