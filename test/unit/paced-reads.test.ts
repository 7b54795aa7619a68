import { Socket } from "node:net";
import { expect, test } from "vitest";
import { paceReads } from "../../runtime/http/connections/paced-reads.ts";

/** A socket that asks `read` for more, as Node asks the system; what was handed on of it, and whether it is paused. */
function pacedSocket() {
  const handedOn: string[] = [];
  const state = { isPaused: false, pauseAfter: "" };
  const reads = { asked: Promise.withResolvers<void>() };
  const socket = new Socket();
  socket._read = () => reads.asked.resolve();
  paceReads(
    socket,
    () => state.isPaused,
    () => undefined,
  );
  socket.on("data", (chunk) => {
    handedOn.push(String(chunk));
    if (String(chunk) === state.pauseAfter) state.isPaused = true;
  });
  return { socket, state, reads, handedOn };
}

test("what is small is handed on at once, and more is read until a pause", async () => {
  const { socket, state, reads, handedOn } = pacedSocket();
  await reads.asked.promise;
  expect(socket.push(Buffer.from("one"))).toBe(true);
  expect(handedOn).toEqual(["one"]);
  state.pauseAfter = "two";
  expect(socket.push(Buffer.from("two"))).toBe(false);
  expect(handedOn).toEqual(["one", "two"]);
});

test("after a pause within what is small, reading goes on", async () => {
  const { socket, state, reads } = pacedSocket();
  await reads.asked.promise;
  state.pauseAfter = "one";
  expect(socket.push(Buffer.from("one"))).toBe(false);
  reads.asked = Promise.withResolvers();
  socket.resume();
  state.isPaused = false;
  socket.resume();
  await reads.asked.promise;
});

test("what comes while the socket is paused is kept for later, in order", async () => {
  const { socket, state, reads, handedOn } = pacedSocket();
  await reads.asked.promise;
  state.isPaused = true;
  socket.pause();
  expect(socket.push(Buffer.from("one"))).toBe(false);
  expect(handedOn).toEqual([]);
  state.isPaused = false;
  reads.asked = Promise.withResolvers();
  socket.resume();
  await reads.asked.promise;
  expect(handedOn).toEqual(["one"]);
  expect(socket.push(Buffer.from("two"))).toBe(true);
  expect(handedOn).toEqual(["one", "two"]);
});
