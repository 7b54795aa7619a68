/** The institution is in another database than the one that was asked: the work is to be done there. */
export class MovedError extends Error {
  override readonly name = "MovedError";
  /** As the deployment names it. */
  readonly database: string;

  constructor(institutionId: string, database: string) {
    super(
      `institution ${institutionId} was moved to the database ${database}: name it in LEDGER_DATABASE_OTHERS of every process`,
    );
    this.database = database;
  }
}
