/** A database of a deployment, by the name that the directory gives it. */
export interface NamedDatabase {
  readonly name: string;
  readonly url: string;
}

/** The database that holds the directory, and every institution that the directory does not name. */
export const firstName = "first";
