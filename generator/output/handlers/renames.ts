/** The names and places that changed, as hand-written files may still use them. */
export interface Renames {
  /** The present name of what a module exported under this one, and does not any more. */
  nameOf(module: string, name: string): string | undefined;
  /** Where a module is that was at this path. */
  placeOf(module: string): string | undefined;
}

export const noRenames: Renames = { nameOf: () => undefined, placeOf: () => undefined };
