import type { IncomingMessage } from "node:http";
import { isJsonObject } from "../../../conformance/values/index.ts";
import type { Wanted } from "./wanted.ts";

/** An event that is asked for, by name. */
export interface WantedEvent extends Wanted {
  readonly name: string;
}

const bytesMax = 256 * 1024;

/** The body of an order; or what is wrong with it. */
export async function readWanted(request: IncomingMessage): Promise<WantedEvent | string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      const part = Buffer.from(chunk);
      bytes += part.length;
      if (bytes > bytesMax) return `an event takes ${bytesMax} bytes at most`;
      chunks.push(part);
    }
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (!isJsonObject(value) || !("name" in value) || typeof value.name !== "string") return shape;
    const { name } = value;
    const payload = "payload" in value ? value.payload : {};
    const set = "set" in value ? value.set : {};
    return isJsonObject(payload) && isJsonObject(set) ? { name, payload, set } : shape;
  } catch {
    return shape;
  }
}

const shape = 'send {"name": "<event>", "payload": {<fields that differ>}, "set": {"<field>": "<text>"}}';
