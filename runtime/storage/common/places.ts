/** The directory of a deployment over several databases: in the first of them. */
export interface Places {
  /** The database of an institution, by name; absent: the first one. */
  databaseOf(institutionId: string): Promise<string | undefined>;
  institutionOf(userName: string): Promise<string | undefined>;
  /** Takes a user name for an institution. Throws a `DuplicateRecordError` where another one has it. */
  takeUserName(userName: string, institutionId: string): Promise<void>;
  /** Says where a new institution is to be. Throws a `StoreOpenError` where it is somewhere else already. */
  place(institutionId: string, database: string): Promise<void>;
  close(): Promise<void>;
}
