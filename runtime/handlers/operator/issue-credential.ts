import type { IssueCredentialHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Creates a user of the documented interface with a first API key. The key is shown once, in this answer.
 *
 * @see section 5.2 · D-18 · D-19
 */
export const issueCredential: IssueCredentialHandler<Contexts> = async () => {
  throw unimplemented("IssueCredential");
};
