import type { JsonRpcInterfaceDescriptor } from "../contract/index.ts";

/** The version of the contract between generated code and this runtime. It takes the one before, too. */
export const contractVersion: number = 1;

/** @throws Error where the generated code and this runtime, or the handlers, do not fit each other. */
export function checkStart(
  descriptor: JsonRpcInterfaceDescriptor,
  handlers: Readonly<Record<string, unknown>>,
): void {
  checkContract(descriptor);
  const { name, methods } = descriptor;
  const missing = Object.keys(methods).filter((method) => typeof handlersOf(handlers, method) !== "function");
  if (missing.length > 0)
    throw new Error(`the ${name} interface has no handler for ${missing.join(", ")}: add it to the handlers`);
  const surplus = Object.keys(handlers).filter((method) => !Object.hasOwn(methods, method));
  if (surplus.length > 0) {
    const known = Object.keys(methods).join(", ");
    throw new Error(
      `there is a handler for ${surplus.join(", ")}, and the ${name} interface has only ${known}`,
    );
  }
}

function handlersOf(handlers: Readonly<Record<string, unknown>>, method: string): unknown {
  return Object.hasOwn(handlers, method) ? handlers[method] : undefined;
}

function checkContract({
  name,
  contract,
  protocol,
}: {
  name: string;
  contract: number;
  protocol: string;
}): void {
  if (protocol !== "json-rpc-2.0")
    throw new Error(`the ${name} interface speaks ${protocol}, and this runtime serves json-rpc-2.0`);
  if (contract > contractVersion) {
    throw new Error(
      `the ${name} interface was generated for version ${contract} of the contract, this runtime has version ` +
        `${contractVersion}: install the runtime package of the version of ledger-rpc that generated it`,
    );
  }
  if (contract < contractVersion - 1) {
    throw new Error(
      `the ${name} interface was generated for version ${contract} of the contract, this runtime takes ` +
        `${contractVersion - 1} and ${contractVersion}: generate it again with the ledger-rpc of this version`,
    );
  }
}
