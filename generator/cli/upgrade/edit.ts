/** A file that an upgrade rewrites: spec files, the config, and imports of handlers. */
export interface FileEdit {
  /** Relative to the config file, with forward slashes. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** What an upgrade does to a project, and what is left to its people. */
export interface UpgradePlan {
  readonly edits: readonly FileEdit[];
  /** One sentence each. */
  readonly byHand: readonly string[];
}
