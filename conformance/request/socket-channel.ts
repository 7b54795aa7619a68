import { createInbox, type Channel } from "./channel.ts";

/** A WebSocket: a message is one text, and what proves who calls is in the headers of the handshake. */
export function openSocket(address: string, headers: Readonly<Record<string, string>>): Channel {
  const inbox = createInbox();
  const { "content-type": _type, ...sent } = headers;
  const socket = new WebSocket(address, { headers: sent });
  const early: string[] = [];
  socket.addEventListener("open", () => {
    for (const text of early) socket.send(text);
  });
  socket.addEventListener("message", ({ data }) => inbox.push(String(data)));
  socket.addEventListener("error", () => inbox.fail(`no connection to ${address}, or it was refused`));
  socket.addEventListener("close", ({ code, reason }) =>
    inbox.fail(`the connection was closed with ${code}${reason === "" ? "" : `, ${reason}`}`),
  );
  return {
    isOpen: () => !inbox.isOver(),
    send(message) {
      if (socket.readyState === WebSocket.CONNECTING) early.push(message.toString());
      else socket.send(message.toString());
    },
    answer: inbox.next,
    close: () => socket.close(),
  };
}
