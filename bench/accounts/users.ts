/** The users of a synthetic bank. */
import { createHash } from "node:crypto";
import type { ApiKeyRecord, DeviceKeyRecord, UserRecord } from "../../runtime/store/ports/index.ts";
import { customerIdAt, institutionId, startMs, type BankPlan } from "./plan.ts";

/** Users by what they see. */
export const bankUsers = {
  all: "bench-all",
  one: "bench-one",
  many: "bench-many",
  operator: "bench-operator",
} as const;

/** The users, their API keys and their keys, each in the same order. */
export function usersOf({ apiKey, publicKeyPem }: BankPlan) {
  const seen: Readonly<Record<keyof typeof bankUsers, readonly string[] | undefined>> = {
    all: undefined,
    one: [customerIdAt(7)],
    many: Array.from({ length: 20 }, (_, index) => customerIdAt(index)),
    operator: undefined,
  };
  const names = ["all", "one", "many", "operator"] as const;
  const extra = Array.from({ length: 8 }, (_, index) => [`hostile-${index}`, undefined] as const);
  const users = [...names.map((name) => [bankUsers[name], seen[name]] as const), ...extra];
  const hash = createHash("sha256").update(apiKey).digest("hex");
  return users.map(([userName, customerIds]) => ({
    user: {
      userName,
      institutionId,
      realm: userName === bankUsers.operator ? "operator" : "ledger",
      email: `${userName}@example.com`,
      scopes: ["*"],
      ...(customerIds !== undefined && { groups: customerIds }),
      otpFailures: 0,
      createdAt: startMs,
    } satisfies UserRecord,
    apiKey: { id: `api-${userName}`, userName, hash, createdAt: startMs } satisfies ApiKeyRecord,
    deviceKey: {
      keyId: keyIdOf(userName),
      userName,
      publicKeyPem,
      status: "ACTIVE",
      createdAt: startMs,
    } satisfies DeviceKeyRecord,
  }));
}

export function keyIdOf(userName: string): string {
  return `key-${userName}`;
}
