import type { RegisterKeyHandler } from "../../../generated/operator/handlers.ts";
import { readPublicKey } from "../../../runtime/auth/signing/index.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { countLiveKeys, deviceKeys, signingKeysMax } from "../../../runtime/store/tables/index.ts";

/**
 * Registers a public key for a user, without one-time password: the way in for applications that run on a
 * server. The key is active at once.
 *
 * @see section 5.5 · D-17 · D-21
 */
export const registerKey: RegisterKeyHandler<Contexts> = async (payload, context) => {
  const { store, clock, ids } = context;
  if (readPublicKey(payload.PublicKey) === undefined) {
    throw context.error("BAD_INPUT", { field: "/PublicKey" });
  }
  const user = await scopedReader(context).user(payload.userName);
  if (user === undefined) throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
  if ((await countLiveKeys(store, user.userName)) >= signingKeysMax) {
    throw context.error("CONFLICT", {
      field: "/userName",
      reason: "too-many-keys",
      data: { limit: signingKeysMax },
    });
  }

  const keyId = ids.id();
  await store.insert(deviceKeys, {
    keyId,
    userName: user.userName,
    publicKeyPem: payload.PublicKey,
    status: "ACTIVE",
    createdAt: clock.now(),
  });
  context.invalidateCaller(user.userName);
  return { KeyId: keyId, userName: user.userName, status: "ACTIVE" };
};
