import { createHash } from "node:crypto";
import { auditedBySystem } from "../audit/index.ts";
import {
  DuplicateRecordError,
  type Clock,
  type IdSource,
  type Store,
  type StoreTransaction,
} from "../ports/index.ts";

export interface NewOperator {
  readonly institutionId: string;
  /** Needed where the institution is new, and not looked at otherwise. */
  readonly institutionName?: string;
  readonly userName: string;
  readonly email: string;
  /** P-256 SPKI PEM, checked by the caller. */
  readonly publicKeyPem: string;
}

/** Shown once: the API key is not stored. */
export interface OperatorAccess {
  readonly apiKey: string;
  readonly keyId: string;
}

/**
 * Adds an operator: the one user that no operator can add, because it is the first. The institution is added with
 * it if it is new.
 * @throws Error if the user name is taken.
 */
export async function createOperator(
  { store, clock, ids }: { readonly store: Store; readonly clock: Clock; readonly ids: IdSource },
  operator: NewOperator,
): Promise<OperatorAccess> {
  const { institutionId, institutionName, userName, email, publicKeyPem } = operator;
  const apiKey = Buffer.from(ids.bytes(16)).toString("hex");
  const keyId = ids.id();
  const createdAt = clock.now();
  try {
    const add = async (plain: StoreTransaction): Promise<void> => {
      const tx = auditedBySystem(plain, { institutionId, operation: "ledger-server operator", clock });
      if ((await tx.institutions.find(institutionId)) === undefined) {
        await tx.institutions.insert({ id: institutionId, name: nameOf(institutionId, institutionName) });
      }
      await tx.users.insert({
        userName,
        institutionId,
        realm: "operator",
        email,
        scopes: ["*"],
        otpFailures: 0,
        createdAt,
      });
      const hash = createHash("sha256").update(apiKey).digest("hex");
      await tx.apiKeys.insert({ id: ids.id(), userName, hash, createdAt });
      await tx.deviceKeys.insert({ keyId, userName, publicKeyPem, status: "ACTIVE", createdAt });
    };
    await store.transact(add, { about: { institutionId } });
  } catch (error) {
    if (!(error instanceof DuplicateRecordError)) throw error;
    throw new Error(`There is a user ${userName} already: choose another name.`, { cause: error });
  }
  return { apiKey, keyId };
}

function nameOf(institutionId: string, name = ""): string {
  if (name.trim() !== "") return name;
  throw new Error(`Institution ${institutionId} is new: give its name, --institution-name.`);
}
