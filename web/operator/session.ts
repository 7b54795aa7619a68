import {
  isOperatorError,
  messageSignatures,
  OperatorClient,
  type Mail,
  type OperatorMethods,
  type UserSummary,
} from "../../generated/operator/client/index.ts";
import { scopesOf, type Session } from "../console/session.ts";
import { suggestFor } from "../console/suggestions.ts";
import type { Child } from "../shared/dom.ts";
import { loadForms, operationButton, type OperationButton } from "../shared/operation-button.ts";
import { linkTo, type ContextOf, type PageOf } from "../shared/page.ts";
import type { Caller } from "../shared/sign-in.ts";
import type { Suggest } from "../shared/suggestions.ts";
import { time } from "../shared/view.ts";
import { bankWords } from "./suggestions.ts";

/** One of the bank's operators who has signed in. */
export interface BankSession extends Session<UserSummary, Mail> {
  readonly client: OperatorClient;
  readonly suggest: (operation: string) => Suggest;
}

/** The context of a page of the bank's own. */
export type BankContext = ContextOf<BankSession>;

/** A page of the bank's own. */
export type BankPage = PageOf<BankSession>;

/** A button that opens the form of an operation. */
export const actionButton: OperationButton<OperatorMethods> = operationButton;

/** Signs in: one call shows that the service takes the caller, and says what the caller may do. */
export async function signIn({ userName, apiKey, keyId, privateKey }: Caller): Promise<BankSession> {
  const client = new OperatorClient({
    baseUrl: location.origin,
    credential: { userName, apiKey },
    signer: { keyId, privateKey },
    messageSignatures,
  });
  const [forms, scopes] = await Promise.all([
    loadForms(new URL("../../generated/operator/", import.meta.url)),
    scopesOf(client, userName),
  ]);
  return {
    ...forms,
    client,
    userName,
    scopes,
    topics: "Accounts",
    suggest: suggestFor(client, bankWords(client)),
    otherwise: (error, operation, payload) =>
      isOperatorError(error) && error.code === "APPROVAL_NEEDED"
        ? propose(client, operation, payload)
        : undefined,
  };
}

async function propose(client: OperatorClient, operation: string, payload: object): Promise<Child> {
  const { proposal } = await client.proposeChange({ operation, payload: JSON.stringify(payload) });
  return [
    "Another operator has to approve this. It is proposed until ",
    time(proposal.expiryDate),
    ": ",
    linkTo(["approvals", proposal.proposalId], "the proposal"),
  ];
}
