import { readPublicKey } from "../../auth/signing/index.ts";
import { timestampText } from "../../contract/times.ts";
import type { WriteContext } from "../../pipeline/handler-context.ts";
import { apiKeys, deviceKeys, hashOf, invitationOfUser, invitations } from "../../store/tables/index.ts";
import type { Failing } from "./pages.ts";
import { hasValidCredential, newApiKey, requireRoomForKey } from "./users.ts";

const tokenBytes = 16;
const standardHours = 72;

/** An invitation as its operator is given it, once. */
interface NewInvitation {
  readonly userName: string;
  /** 128 random bits, in hex. */
  readonly token: string;
  readonly expiresAt: string;
}

/** Invites a user. An invitation before it ends. Only the SHA-256 of the token is kept. */
export async function inviteUser(
  { store, clock, ids }: Pick<WriteContext, "store" | "clock" | "ids">,
  userName: string,
  validHours = standardHours,
): Promise<NewInvitation> {
  const token = Buffer.from(ids.bytes(tokenBytes)).toString("hex");
  const [createdAt, expiresAt] = [clock.now(), clock.now() + validHours * 3_600_000];
  const invitation = { userName, hash: hashOf(token), createdAt, expiresAt };
  const former = await store.one(invitationOfUser, userName);
  await (former === undefined
    ? store.insert(invitations, invitation)
    : store.replace(invitations, invitation, former));
  return { userName, token, expiresAt: timestampText(expiresAt) };
}

/**
 * Accepts the caller's invitation with the key that has signed the call: registers it, and gives the caller an API key.
 * Throws CONFLICT where the invitation was used, or the caller can sign in without it.
 */
export async function acceptInvitation(
  { PublicKey }: { readonly PublicKey: string },
  context: WriteContext & Failing<"BAD_INPUT" | "CONFLICT", "/userName" | "/PublicKey">,
) {
  const { store, clock, ids, caller } = context;
  const { userName } = caller;
  if (readPublicKey(PublicKey) === undefined) throw context.error("BAD_INPUT", { field: "/PublicKey" });
  const invitation = await store.one(invitationOfUser, userName);
  const isOpen = invitation?.usedAt === undefined && (invitation?.expiresAt ?? 0) > clock.now();
  if (invitation === undefined || !isOpen || (await hasValidCredential(context, userName)))
    throw context.error("CONFLICT", { reason: "invitation-used" });
  await requireRoomForKey(context, userName);
  await store.replace(invitations, { ...invitation, usedAt: clock.now() }, invitation);
  const keyId = ids.id();
  const key = { keyId, userName, publicKeyPem: PublicKey, status: "ACTIVE" } as const;
  await store.insert(deviceKeys, { ...key, createdAt: clock.now() });
  const { record, issued } = newApiKey(context, userName, undefined);
  await store.insert(apiKeys, record);
  context.invalidateCaller(userName);
  const { apiKeyId, apiKey } = issued;
  return { userName, KeyId: keyId, apiKeyId, apiKey };
}
