import { Socket } from "node:net";
import { expect, test } from "vitest";
import { paceReads } from "../../runtime/transport/connections/paced-reads.ts";

/** A socket that asks `read` for more, as Node asks the system; what was handed on of it, and whether it is paused. */
function pacedSocket() {
  const handedOn: string[] = [];
  const state = { isPaused: false, pauseAfter: "", stopAfter: "", parsed() {} };
  const reads = { asked: Promise.withResolvers<void>() };
  const socket = new Socket();
  socket._read = () => reads.asked.resolve();
  // As that of Node's parser, before the one that `paceReads` adds.
  socket.on("data", (chunk) => {
    handedOn.push(String(chunk));
    if (String(chunk) === state.pauseAfter) state.isPaused = true;
    if (String(chunk) === state.stopAfter) stop();
  });
  const stop = paceReads(
    socket,
    () => state.isPaused,
    () => state.parsed(),
  );
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

test("of what is large, no more than the slice that pauses is handed on, until reading goes on", async () => {
  const { socket, state, reads, handedOn } = pacedSocket();
  await reads.asked.promise;
  const [first, second] = ["a".repeat(1024), "b".repeat(1024)];
  state.pauseAfter = first;
  const askedAgain = Promise.withResolvers<void>();
  const read = socket._read.bind(socket);
  socket._read = (size) => {
    read(size);
    askedAgain.resolve();
  };
  expect(socket.push(Buffer.from(first + second))).toBe(false);
  await askedAgain.promise;
  expect(handedOn).toEqual([first]);
  state.isPaused = false;
  socket.resume();
  await expect.poll(() => handedOn).toEqual([first, second]);
});

test("once another protocol is spoken, nothing is paused, and what is left comes whole", async () => {
  const { socket, state, reads, handedOn } = pacedSocket();
  await reads.asked.promise;
  state.isPaused = true;
  state.parsed = () => socket.pause();
  state.stopAfter = "upgrade";
  expect(socket.push(Buffer.from("upgrade"))).toBe(true);
  expect(socket.push(Buffer.from("x".repeat(5000)))).toBe(true);
  await expect.poll(() => handedOn).toEqual(["upgrade", "x".repeat(5000)]);
});
