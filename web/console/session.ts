import {
  isOperatorError,
  messageSignatures,
  OperatorClient,
  type OperatorMethods,
} from "../../generated/operator/client/index.ts";
import { operationButtons, payloadValidators } from "../shared/operation-button.ts";
import { loadSchema, type SchemaDocument } from "../shared/schema.ts";
import type { Caller } from "../shared/sign-in.ts";
import { loadModule } from "../shared/validator.ts";

/** An operator who has signed in. */
export interface Session {
  readonly client: OperatorClient;
  readonly userName: string;
  /** What the operator may call; absent where the operator may not read that. */
  readonly scopes: readonly string[] | undefined;
  readonly schema: SchemaDocument;
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
  return { client, userName: caller.userName, scopes, schema };
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
