/** A file that an upgrade rewrites: spec files, the config, and imports of handlers. */
export interface FileEdit {
  /** Relative to the config file, with forward slashes. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The edits of an upgrade, and the work that is left to people. */
export interface UpgradePlan {
  readonly edits: readonly FileEdit[];
  /** One sentence each. */
  readonly byHand: readonly string[];
}
