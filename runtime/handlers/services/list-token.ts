import type { RpcError, RpcErrorDetail } from "../../contract/index.ts";

interface Context {
  error(code: "BAD_INPUT", detail: RpcErrorDetail<"/after">): RpcError;
}

/** The last identifier of a page, as an opaque text. */
export function listToken(last: string): string {
  return Buffer.from(last).toString("base64url");
}

/** The last identifier of the page before, by the token it gave. */
export function lastOf(context: Context, token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  const last = Buffer.from(token, "base64url").toString();
  if (last === "" || listToken(last) !== token)
    throw context.error("BAD_INPUT", { field: "/after", reason: "page-token" });
  return last;
}
