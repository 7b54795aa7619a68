/** How messages are separated in a stream: one a line, or each after a header with its length, as LSP does. */
export type Framing = "lines" | "content-length";

/** Cuts a stream into messages. */
export interface Framer {
  /** The messages that end in this chunk. @throws FramingError where it is unknown where the next message begins. */
  push(chunk: Buffer): readonly Buffer[];
  /** The message that the end of the stream ends. */
  end(): readonly Buffer[];
}

export class FramingError extends Error {
  override readonly name = "FramingError";
}

/** A message above the limit is kept with one byte too many: enough to refuse it, and no more memory. */
export function createFramer(framing: Framing, bytesMax: number): Framer {
  return framing === "lines" ? lineFramer(bytesMax + 1) : lengthFramer(bytesMax + 1);
}

const newline = 0x0a;

function lineFramer(keptMax: number): Framer {
  const line = createByteBuffer(keptMax);
  const whole = (): readonly Buffer[] => {
    const bytes = line.take();
    return isBlank(bytes) ? [] : [bytes];
  };
  return {
    push(chunk) {
      const messages: Buffer[] = [];
      let start = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        line.add(chunk.subarray(start, at));
        messages.push(...whole());
        start = at + 1;
      }
      line.add(chunk.subarray(start));
      return messages;
    },
    end: whole,
  };
}

const headerEnd = Buffer.from("\r\n\r\n");
const headerBytesMax = 4096;

function lengthFramer(keptMax: number): Framer {
  const body = createByteBuffer(keptMax);
  let header: Buffer = Buffer.alloc(0);
  /** Bytes of the body that are still to come; undefined within a header. */
  let missing: number | undefined;

  /** Gives what follows the header, or nothing where the header is not whole. */
  function readHeader(chunk: Buffer): Buffer | undefined {
    header = Buffer.concat([header, chunk]);
    const end = header.indexOf(headerEnd);
    if (end > headerBytesMax || (end < 0 && header.length > headerBytesMax))
      throw new FramingError(`a header is longer than ${headerBytesMax} bytes`);
    if (end < 0) return undefined;
    missing = lengthIn(header.toString("latin1", 0, end));
    const rest = header.subarray(end + headerEnd.length);
    header = Buffer.alloc(0);
    return rest;
  }

  return {
    push(chunk) {
      const messages: Buffer[] = [];
      let rest: Buffer | undefined = chunk;
      while (rest !== undefined && (rest.length > 0 || missing === 0)) {
        if (missing === undefined) {
          rest = readHeader(rest);
          continue;
        }
        const part: Buffer = rest.subarray(0, missing);
        body.add(part);
        rest = rest.subarray(part.length);
        missing -= part.length;
        if (missing > 0) continue;
        messages.push(body.take());
        missing = undefined;
      }
      return messages;
    },
    end() {
      if (header.length > 0 || missing !== undefined)
        throw new FramingError("the stream ends within a message");
      return [];
    },
  };
}

function lengthIn(header: string): number {
  const lengths = header.split("\r\n").filter((line) => /^content-length *:/i.test(line));
  const [length = ""] = lengths.map((line) => line.slice(line.indexOf(":") + 1).trim());
  if (lengths.length !== 1 || !/^\d{1,15}$/.test(length))
    throw new FramingError("a header needs one Content-Length with the number of bytes that follow it");
  return Number(length);
}

/** Collects the parts of one message, as far as they are needed. */
function createByteBuffer(keptMax: number) {
  let parts: Buffer[] = [];
  let kept = 0;
  return {
    add(part: Buffer): void {
      const wanted = part.subarray(0, keptMax - kept);
      if (wanted.length === 0) return;
      parts.push(wanted);
      kept += wanted.length;
    },
    take(): Buffer {
      const [only] = parts;
      const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, kept);
      parts = [];
      kept = 0;
      return bytes;
    },
  };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
