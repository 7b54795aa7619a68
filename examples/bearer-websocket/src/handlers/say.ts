import type { SayHandler } from "../../generated/handlers.ts";
import type { Contexts } from "./contexts.ts";

/** Writes a message, which all members of the room receive. */
export const say: SayHandler<Contexts> = async ({ text }, { auth, room }) => {
  const message = { from: auth.user.caller.name, text };
  room.say(message);
  return message;
};
