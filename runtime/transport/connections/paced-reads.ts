import type { Socket } from "node:net";

/**
 * How much of a connection is parsed in one go, where no end of a request is seen. Node parses whatever one read gives, up to 64 KiB: some 100 calls, or
 * 2,000 tiny requests, of a caller that is to have two at work.
 */
const sliceBytes = 1024;
/** A request of at most that many bytes is handed on whole. */
const wholeBytesMax = 4 * 1024;

/**
 * Hands what a connection sends to the parser in small slices, so that a pause takes effect after a few requests. From
 * its first byte: what a thousand connections send at once is otherwise parsed in one turn of the event loop, for
 * seconds. Costs 1 % of a call. `parsed` follows on each slice.
 *
 * While `isPaused`, and while a slice is left, nothing is read from the system. `pause` alone stops what is handed on:
 * Node goes on reading 64 KiB, in pieces as small as they arrive, each into a block of 64 KiB of its own. Of a thousand
 * connections that wait for room that took a quarter of the processor, and 64 KiB each.
 *
 * Node resumes a socket whenever a body is read, also in the middle of handing on what was buffered, which then goes on
 * as if nothing had been paused: that has no effect meanwhile, either.
 *
 * Gives a function that ends this: the socket reads as Node does from then on.
 */
// oxlint-disable-next-line max-lines-per-function -- what replaces the methods of one socket shares what is left to hand on
export function paceReads(
  socket: Socket,
  isPaused: () => boolean,
  parsed: (bytes: number) => void,
): () => void {
  const push = socket.push.bind(socket);
  const resume = socket.resume.bind(socket);
  const read = socket._read.bind(socket);
  let isDue = false;
  let isOver = false;
  /** The part of what was read that is to be handed on. */
  let rest: Uint8Array | undefined;

  function pushSlice(chunk: Uint8Array): boolean {
    if (chunk.length <= sliceBytes) {
      rest = undefined;
      return push(chunk) && (isOver || !isPaused());
    }
    const end = sliceEnd(chunk);
    rest = chunk.subarray(end);
    push(chunk.subarray(0, end));
    return false;
  }

  function goOn(): void {
    if (!isDue || isPaused() || socket.readableLength > 0) return;
    isDue = false;
    if (rest === undefined) read(socket.readableHighWaterMark);
    else pushSlice(rest);
  }

  /** Hands on what is small and waits for nothing at once: through the stream's buffer it costs 2 µs more. */
  function emitWhole(chunk: Uint8Array): boolean {
    socket.emit("data", chunk);
    isDue ||= !isOver && isPaused();
    return !isDue;
  }

  // Node stops reading where this is false, until the stream asks for more, or `goOn` follows.
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (!(chunk instanceof Uint8Array)) return push(chunk, encoding);
    const isNext = socket.readableFlowing === true && socket.readableLength === 0;
    return isNext && chunk.length <= sliceBytes ? emitWhole(chunk) : pushSlice(chunk);
  };
  socket._read = () => {
    isDue = true;
    goOn();
  };
  socket.resume = () => {
    if (isPaused()) return socket;
    // Not at once: the parser may be at work on what came before, and must not be called from within.
    if (isDue) process.nextTick(goOn);
    return resume();
  };
  // Node's HTTP server reads straight from the handle until a listener for data is added.
  const see = ({ length }: Uint8Array): void => {
    if (isOver) return;
    parsed(length);
    goOn();
  };
  socket.on("data", see);

  return () => {
    isOver = true;
    socket.off("data", see);
    Object.assign(socket, { push, resume, _read: read });
    if (rest !== undefined) push(rest);
    else if (isDue) read(socket.readableHighWaterMark);
  };
}

const headEnd = Buffer.from("\r\n\r\n");
const lengthHeader = /\r\ncontent-length: ?(\d{1,4})\r\n/i;

/**
 * Where a slice ends: behind the first request, where that is easily seen, so that no other one is parsed with it, and
 * waits. A guess alone: the parser takes slices that are cut anywhere.
 */
function sliceEnd({ buffer, byteOffset, length }: Uint8Array): number {
  const chunk = Buffer.from(buffer, byteOffset, Math.min(length, wholeBytesMax));
  const bodyAt = chunk.indexOf(headEnd) + headEnd.length;
  if (bodyAt < headEnd.length) return sliceBytes;
  const declared = lengthHeader.exec(chunk.toString("latin1", 0, bodyAt))?.[1];
  const end = bodyAt + Number(declared ?? 0);
  return end < chunk.length ? end : sliceBytes;
}
