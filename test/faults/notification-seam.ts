import { Pool } from "undici";
import type { Fault } from "./fault.ts";
import { signedAnew } from "./webhook-signer.ts";

/** Makes every notification that this process posts show the fault. One with another body is signed anew. */
export function changeNotifications({ notification: change }: Fault): void {
  if (change === undefined) return;
  const dispatch = Pool.prototype.dispatch;
  Pool.prototype.dispatch = function (this: Pool, options, handler): boolean {
    const { headers, body } = options;
    if (!Array.isArray(headers) || !Buffer.isBuffer(body)) return dispatch.call(this, options, handler);
    const sound = { headers: named(headers), body: body.toString() };
    const faulty = change(sound);
    const changed = faulty.body === sound.body ? faulty : signedAnew(sound, faulty);
    const sent = Buffer.from(changed.body);
    const all = { ...changed.headers, "content-length": String(sent.length) };
    return dispatch.call(this, { ...options, headers: Object.entries(all).flat(), body: sent }, handler);
  };
}

/** Headers by lower-case name, of a list of names and values in turn. */
function named(headers: readonly unknown[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (let index = 0; index + 1 < headers.length; index += 2)
    found[String(headers[index]).toLowerCase()] = String(headers[index + 1]);
  return found;
}
