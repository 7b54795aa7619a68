import type { ProtocolModel } from "../../model/protocol-model.ts";

export const model: ProtocolModel = {
  protocol: "problem",
  path: ({ wire }) => wire.http?.path ?? "/calls",
  wire: () => ({ protocol: "problem" }),
  transport: () => ({ kind: "own" }),
};
