/** The documented interface: devices register and events are subscribed there. */
export const documentedRealm = "ledger";
/** Operators are managed by local commands: no request sees another one, and none adds one. */
export const operatorRealm = "operator";
