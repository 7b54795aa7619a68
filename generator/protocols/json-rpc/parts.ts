import type { Parts } from "../protocol.ts";
import { cases } from "./cases/index.ts";
import { client } from "./client/index.ts";
import { collection } from "./collection.ts";
import { documents } from "./documents/index.ts";
import { reference } from "./reference/index.ts";
import { server } from "./server/index.ts";

export const parts: Parts = {
  protocol: "json-rpc-2.0",
  cases,
  client,
  collection,
  documents,
  reference,
  server,
};
