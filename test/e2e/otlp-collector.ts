import { once } from "node:events";
import { createServer } from "node:http";

/** A span as OTLP has it (opentelemetry/proto/trace/v1/trace.proto). */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty at the root of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly isFailed: boolean;
}

/** A collector: takes traces over OTLP/HTTP (protobuf). */
export interface Collector {
  /** `http://127.0.0.1:…/v1/traces`. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Attributes of the process that sent them. */
  readonly resource: CollectedSpan["attributes"];
  /** All bytes that arrived, as text: to look for what must not be there. */
  text(): string;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const resource: Record<string, string | number | boolean> = {};
  const bodies: Buffer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      bodies.push(body);
      for (const resourceSpans of messages(body, 1)) {
        for (const stated of messages(resourceSpans, 1)) Object.assign(resource, attributesIn(stated, 1));
        for (const scope of messages(resourceSpans, 2)) spans.push(...messages(scope, 2).map(spanIn));
      }
      response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    spans,
    resource,
    text: () => Buffer.concat(bodies).toString("latin1"),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function spanIn(bytes: Buffer): CollectedSpan {
  const field = (number: number): Buffer => messages(bytes, number)[0] ?? Buffer.alloc(0);
  const status = fieldsOf(field(15)).find(({ number }) => number === 3);
  return {
    traceId: field(1).toString("hex"),
    spanId: field(2).toString("hex"),
    parentSpanId: field(4).toString("hex"),
    name: field(5).toString(),
    kind: Number(fieldsOf(bytes).find(({ number }) => number === 6)?.value ?? 0),
    attributes: attributesIn(bytes, 9),
    isFailed: status?.value === 2n,
  };
}

function attributesIn(bytes: Buffer, number: number): CollectedSpan["attributes"] {
  return Object.fromEntries(
    messages(bytes, number).map((pair) => {
      const [key = Buffer.alloc(0)] = messages(pair, 1);
      const [value] = fieldsOf(messages(pair, 2)[0] ?? Buffer.alloc(0));
      return [key.toString(), value === undefined ? "" : scalar(value)];
    }),
  );
}

/** An `AnyValue`: its field's number says its type. */
function scalar({ number, value }: Field): string | number | boolean {
  if (number === 2) return value === 1n;
  if (typeof value === "bigint") return Number(value);
  return number === 4 ? value.readDoubleLE() : value.toString();
}

interface Field {
  readonly number: number;
  readonly value: bigint | Buffer;
}

function messages(bytes: Buffer, number: number): readonly Buffer[] {
  return fieldsOf(bytes).flatMap((field) =>
    field.number === number && typeof field.value !== "bigint" ? [field.value] : [],
  );
}

/** The wire format of Protocol Buffers: fields of four wire types. */
function fieldsOf(bytes: Buffer): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    const taken = bytes.subarray(at, at + length);
    at += length;
    return taken;
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    const lengths: Readonly<Record<number, () => bigint | Buffer>> = {
      0: varint,
      1: () => take(8),
      2: () => take(Number(varint())),
      5: () => take(4),
    };
    const read = lengths[tag & 7];
    if (read === undefined) throw new Error(`wire type ${tag & 7} is none of Protocol Buffers`);
    fields.push({ number, value: read() });
  }
  return fields;
}
