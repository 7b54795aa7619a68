import type { RevokeKeyHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/** Revokes a key at once. Revoking a revoked one succeeds and changes nothing. */
export const revokeKey: RevokeKeyHandler<Contexts> = admin.revokeKey;
