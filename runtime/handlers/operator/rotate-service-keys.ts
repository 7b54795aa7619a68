import type { RotateServiceKeysHandler } from "../../../generated/operator/handlers.ts";
import { timestampText } from "../../domain/index.ts";
import { rotateServiceKeys as rotateKeys } from "../../delivery/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Makes new keys for the signatures in and on notifications. They are shown at /.well-known/jwks.json at once
 * and sign a few minutes later, when every receiver that keeps the key set as long as it may has seen them.
 * The former ones stay there until nothing that they signed can still arrive.
 *
 * @see section 6 · D-42
 */
export const rotateServiceKeys: RotateServiceKeysHandler<Contexts> = async (payload, context) => {
  const { algorithm } = payload;
  const rotated = await rotateKeys(context, algorithm === undefined ? undefined : [algorithm]);
  return {
    keys: rotated.map(({ key, signsFrom }) => ({
      keyId: key.keyId,
      algorithm: key.algorithm,
      createdDate: timestampText(key.createdAt),
      signsFromDate: timestampText(signsFrom),
    })),
  };
};
