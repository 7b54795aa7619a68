import {
  isOperatorError,
  messageSignatures,
  OperatorClient,
  type OperatorMethods,
} from "../../generated/operator/client/index.ts";
import type { Child } from "../shared/dom.ts";
import { operationButtons, payloadValidators } from "../shared/operation-button.ts";
import { linkTo } from "../shared/page.ts";
import { loadSchema, type SchemaDocument } from "../shared/schema.ts";
import type { Caller } from "../shared/sign-in.ts";
import type { Suggest } from "../shared/suggestions.ts";
import { loadModule } from "../shared/validator.ts";
import { time } from "../shared/view.ts";
import { suggestFor } from "./suggestions.ts";

/** An operator who has signed in. */
export interface Session {
  readonly client: OperatorClient;
  readonly userName: string;
  /** What the operator may call; absent where the operator may not read that. */
  readonly scopes: readonly string[] | undefined;
  readonly schema: SchemaDocument;
  /** The values that fields of an operation's form may have. */
  readonly suggest: (operation: string) => Suggest;
  /** Proposes a change that another operator has to approve, and says so; undefined after other errors. */
  readonly otherwise: (error: unknown, name: string, payload: object) => Promise<Child> | undefined;
}

const generated = new URL("../../generated/operator/", import.meta.url);

/** Signs in: one call shows that the service takes the caller, and says what the caller may do. */
export async function signIn(caller: Caller): Promise<Session> {
  const client = new OperatorClient({
    baseUrl: location.origin,
    credential: { userName: caller.userName, apiKey: caller.apiKey },
    signer: { keyId: caller.keyId, privateKey: caller.privateKey },
    messageSignatures,
  });
  const [schema, , scopes] = await Promise.all([
    loadSchema(new URL("json-schema.json", generated)),
    // Forms open while the service does not answer, too.
    loadModule(new URL(payloadValidators, generated)),
    scopesOf(client, caller.userName),
  ]);
  return {
    client,
    userName: caller.userName,
    scopes,
    schema,
    suggest: suggestFor({ client }),
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

/** Asks for something else where the caller may not read users: that shows that the service takes the caller, too. */
async function scopesOf(client: OperatorClient, userName: string): Promise<readonly string[] | undefined> {
  try {
    return (await client.getUser({ userName })).user.scopes;
  } catch (error) {
    if (!isOperatorError(error)) throw error;
    await client.listCustomers({ pageSize: 1 });
    return undefined;
  }
}

/** A button that opens the form of an operation. */
export const actionButton = operationButtons<OperatorMethods>(generated, (error) =>
  isOperatorError(error) ? error.field : undefined,
);
