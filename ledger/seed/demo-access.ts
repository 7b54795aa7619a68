import { auditedBySystem } from "../../runtime/store/audit/index.ts";

import { endSubscriptions, hasValidCredential } from "../../runtime/operations/admin/index.ts";
import type { Clock, Store, Reads, UserRecord } from "../../runtime/store/ports/index.ts";
import { demoInstitutionId, demoOperatorName, demoUserName } from "./demo.ts";
import {
  userByName,
  apiKeysOfUser,
  apiKeys,
  deviceKeysInStates,
  liveStates,
  deviceKeys,
} from "../../runtime/store/tables/index.ts";

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
}

/** The users of the demo data who can still call: their keys are in the access file of a sandbox. */
export async function demoUsersServed({ store, clock }: Parts): Promise<readonly string[]> {
  return store.read(async (view) => {
    const served: string[] = [];
    for (const { userName } of await demoUsers(view))
      if (await hasValidCredential({ store: view, clock }, userName)) served.push(userName);
    return served;
  });
}

/** Revokes every credential and key of the demo data's users; returns the names of those who had any. */
export async function revokeDemoUsers({ store, clock }: Parts): Promise<readonly string[]> {
  const served = await demoUsersServed({ store, clock });
  await store.write(async (plain) => {
    const operation = "ledger-server seed --revoke";
    const tx = auditedBySystem(plain, { institutionId: demoInstitutionId, operation, clock });
    for (const user of await demoUsers(tx)) {
      const revokedAt = clock.now();
      for (const apiKey of await apiKeysOfUser(tx, user.userName))
        if (apiKey.revokedAt === undefined) await tx.replace(apiKeys, { ...apiKey, revokedAt });
      for (const key of await tx.many(deviceKeysInStates, user.userName, liveStates))
        await tx.replace(deviceKeys, { ...key, status: "REVOKED", revokedAt });
      await endSubscriptions({ store: tx, clock, events: { wake: () => undefined } }, user);
    }
  });
  return served;
}

/** A bank of the same routing number may have users of these names; only the demo data gives them such addresses. */
async function demoUsers(view: Reads): Promise<readonly UserRecord[]> {
  const found = [await view.one(userByName, demoOperatorName), await view.one(userByName, demoUserName)];
  return found.flatMap((user) =>
    user?.institutionId === demoInstitutionId && user.email.endsWith("@localhost") ? [user] : [],
  );
}
