import type { RevokeKeyHandler } from "../../../generated/operator/handlers.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { deviceKeys } from "../../../runtime/store/tables/index.ts";

/** Revokes a key at once. Revoking a revoked one succeeds and changes nothing. @see section 5.5 · D-17 */
export const revokeKey: RevokeKeyHandler<Contexts> = async (payload, context) => {
  const key = await scopedReader(context).deviceKey(payload.KeyId);
  if (key === undefined) throw context.error("NOT_FOUND_KEY", { field: "/KeyId" });

  if (key.status !== "REVOKED") {
    await context.store.replace(
      deviceKeys,
      { ...key, status: "REVOKED", revokedAt: context.clock.now() },
      key,
    );
  }
  context.invalidateCaller(key.userName);
  return { KeyId: key.keyId, userName: key.userName, status: "REVOKED" };
};
