import { schemeKindOf } from "../../../conformance/request/schemes/index.ts";
import type { CollectionPart, Parts } from "../protocol.ts";
import { cases } from "./cases/index.ts";
import { client } from "./client/index.ts";
import { documents } from "./documents/index.ts";
import { reference } from "./reference/index.ts";
import { server } from "./server/index.ts";

const collection: CollectionPart = {
  variables: [],
  headers: () => ({}),
  values: ({ credentials = {} }, { schemes }) =>
    Object.fromEntries(
      Object.entries(credentials).map(([name, credential]) => {
        const { kind = "" } = schemes.find((scheme) => scheme.name === name) ?? {};
        return [name, schemeKindOf(kind)?.variable?.value(credential) ?? ""];
      }),
    ),
};

export const parts: Parts = {
  protocol: "json-rpc-2.0",
  cases,
  client,
  collection,
  documents,
  reference,
  server,
};
