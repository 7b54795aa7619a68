import { existsSync, readFileSync } from "node:fs";
import { UsageError } from "../../../runtime/operations/cli/index.ts";
import type { Schema } from "./fields.ts";

/** A method of the operator interface, as its OpenRPC document says. */
export interface DescribedMethod {
  readonly name: string;
  readonly description: string;
  readonly payload: Schema;
  /** The payload of its first example. */
  readonly example: object;
}

interface OpenRpcDocument {
  readonly methods: readonly {
    readonly name: string;
    readonly description: string;
    readonly params: readonly { readonly name: string; readonly schema: Schema }[];
    readonly examples: readonly {
      readonly params: readonly { readonly name: string; readonly value: object }[];
    }[];
  }[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Reads the document that the generator made: an operation of a new revision needs no code to have its flags. */
export function describedInterface(): {
  readonly method: (name: string) => DescribedMethod;
  readonly resolve: (reference: string) => Schema;
} {
  const file = new URL("../../../generated/operator/openrpc.json", import.meta.url);
  if (!existsSync(file))
    throw new UsageError(`${file.pathname} is missing: \`npm run ledger-server\` builds it`);
  const document: OpenRpcDocument = JSON.parse(readFileSync(file, "utf8"));
  return {
    method: (name) => {
      const found = document.methods.find((method) => method.name === name);
      const payload = found?.params.find(isPayload)?.schema;
      const example = found?.examples[0]?.params.find(isPayload)?.value;
      if (found === undefined || payload === undefined || example === undefined)
        throw new Error(`${file.pathname} has no ${name} with an example`);
      return { name, description: found.description, payload, example };
    },
    resolve: (reference) => document.components.schemas[reference.split("/").at(-1) ?? ""] ?? {},
  };
}

function isPayload({ name }: { readonly name: string }): boolean {
  return name === "payload";
}
