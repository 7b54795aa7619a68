import { readFileSync } from "node:fs";
import type { Schema } from "./fields.ts";

/** A method of the operator interface, as its OpenRPC document says. */
export interface DescribedMethod {
  readonly name: string;
  readonly description: string;
  readonly payload: Schema;
}

interface OpenRpcDocument {
  readonly methods: readonly {
    readonly name: string;
    readonly description: string;
    readonly params: readonly { readonly name: string; readonly schema: Schema }[];
  }[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Reads the document that the generator made: an operation of a new revision needs no code to have its flags. */
export function describedInterface(): {
  readonly method: (name: string) => DescribedMethod;
  readonly resolve: (reference: string) => Schema;
} {
  const file = new URL("../../../generated/operator/openrpc.json", import.meta.url);
  const document: OpenRpcDocument = JSON.parse(readFileSync(file, "utf8"));
  return {
    method: (name) => {
      const found = document.methods.find((method) => method.name === name);
      const payload = found?.params.find((parameter) => parameter.name === "payload")?.schema;
      if (found === undefined || payload === undefined) throw new Error(`${file.pathname} has no ${name}`);
      return { name, description: found.description, payload };
    },
    resolve: (reference) => document.components.schemas[reference.split("/").at(-1) ?? ""] ?? {},
  };
}
