/**
 * Why a mail was not accepted, in a word:
 * - `unreachable`: no mail can be sent now: there is no connection, no greeting, no login.
 * - `server`: the mail server answered and then failed, for this mail or for all.
 * - `timeout`: it took too long. Other mails may fare the same.
 * - `refused`: this mail, by the server.
 * - `unsendable`: what is stored cannot be opened, or makes no mail.
 */
export type MailFailure = "unreachable" | "server" | "timeout" | "refused" | "unsendable";

/** A mail was not accepted. Its message may hold the recipient's address; `word` is one of a fixed list. */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly failure: MailFailure;
  readonly word: string;

  /** `word` says more than `failure`. */
  constructor(
    failure: MailFailure,
    message: string,
    options: ErrorOptions & { readonly word?: string } = {},
  ) {
    super(message, options);
    this.failure = failure;
    this.word = options.word ?? failure;
  }
}
