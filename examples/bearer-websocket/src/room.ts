import type { Message } from "../generated/types.ts";

/** The messages of the room, and those who read along. */
export interface Room {
  say(message: Message): void;
  history(limit: number): readonly Message[];
  onMessage(listener: (message: Message) => void): void;
}

export function createRoom(): Room {
  const messages: Message[] = [];
  const listeners: ((message: Message) => void)[] = [];
  return {
    say(message) {
      messages.push(message);
      if (messages.length > 100) messages.shift();
      for (const listener of listeners) listener(message);
    },
    history: (limit) => messages.slice(-limit),
    onMessage: (listener) => void listeners.push(listener),
  };
}
