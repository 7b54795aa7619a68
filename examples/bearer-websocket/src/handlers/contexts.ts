import type { Room } from "../room.ts";

/** The context of the handlers besides their payload, and the callers that each scheme finds. */
export interface Contexts {
  readonly read: { readonly room: Room };
  readonly write: { readonly room: Room };
  readonly callers: { readonly user: { readonly name: string } };
}
