import type { Emitter } from "ledger-rpc/emitter";

/** `scopes/scopes.json`: the scopes that each method asks for, for whoever sets up the issuer of tokens. */
export const emitter: Emitter = {
  name: "scopes",
  emit(model, { out }) {
    const methods = model.methods.map(({ name, security }) => {
      const scopes = security.flatMap((alternative) => alternative.flatMap((use) => use.scopes));
      return [name, [...new Set(scopes)].toSorted()];
    });
    const text = JSON.stringify(Object.fromEntries(methods));
    return [{ path: `${out}/scopes/scopes.json`, ownership: "owned", text }];
  },
};
