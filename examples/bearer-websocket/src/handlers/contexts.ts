import type { Room } from "../room.ts";

/** What the handlers are given besides their payload, and who the callers are that each scheme finds. */
export interface Contexts {
  readonly read: { readonly room: Room };
  readonly write: { readonly room: Room };
  readonly callers: { readonly user: { readonly name: string } };
}
