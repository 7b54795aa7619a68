import type { Invitation } from "../../../generated/operator/types.ts";
import type { Rules } from "../../domain/rules.ts";

/** An invitation as the operator sends it: the link ends in a fragment, which no browser sends to a server. */
export function invitationOf(
  { userName, token, expiresAt }: Pick<Invitation, "userName" | "expiresAt"> & { readonly token: string },
  { partnerOrigin = "" }: Rules,
): Invitation {
  const place = [userName, token].map(encodeURIComponent).join("/");
  return { userName, link: `${partnerOrigin}/partner/#/invitation/${place}`, expiresAt };
}
