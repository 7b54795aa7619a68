/** What has another name or another place now, as hand-written files may still call it. */
export interface Renames {
  /** The present name of what a module exported under this one, and does not any more. */
  nameOf(module: string, name: string): string | undefined;
  /** Where a module is that was at this path. */
  placeOf(module: string): string | undefined;
}

export const noRenames: Renames = { nameOf: () => undefined, placeOf: () => undefined };
