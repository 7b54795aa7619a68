import { schemeKindOf } from "../../../conformance/request/schemes/index.ts";
import type { CollectionPart } from "../protocol.ts";

export const collection: CollectionPart = {
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
