import type { Socket } from "node:net";

/**
 * How much of a pipelining connection is parsed in one go. Node parses whatever one read gives, up to 64 KiB: some 100
 * calls, or 2,000 tiny requests, of a caller that is to have two at work.
 */
const sliceBytes = 1024;

/**
 * From now on hands what a connection sends to the parser in small slices, so that a pause takes effect after a few
 * requests. Costs a few microseconds for each request, so only pipelining connections get it. Calls `sliced` when the
 * chunk that is being parsed is done; the socket must not be paused before.
 */
export function sliceReads(socket: Socket, sliced: () => void): void {
  const slice = (): void => {
    takeOver(socket);
    sliced();
  };
  process.nextTick(() => {
    // Node forgets that it stopped the handle of a paused socket when it hands reading over.
    if (socket.isPaused()) socket.once("resume", slice);
    else slice();
  });
}

function takeOver(socket: Socket): void {
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (!(chunk instanceof Uint8Array) || chunk.length <= sliceBytes) return push(chunk, encoding);
    let wantsMore = true;
    for (let at = 0; at < chunk.length; at += sliceBytes)
      wantsMore = push(chunk.subarray(at, at + sliceBytes));
    return wantsMore;
  };
  // Node's HTTP server reads straight from the handle until a listener for data is added.
  socket.on("data", () => {});
}
