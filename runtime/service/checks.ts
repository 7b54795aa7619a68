import type { JsonRpcTransport } from "../contract/index.ts";
import type { Protocol } from "../protocol/port.ts";
import type { ServiceLimits } from "./options.ts";

/** The version of the contract between generated code and this runtime. It takes the one before, too. */
export const contractVersion: number = 1;

/** @throws Error where the handlers are not those of the interface. */
export function checkHandlers(
  { name, methods }: Pick<Protocol, "name" | "methods">,
  handlers: Readonly<Record<string, unknown>>,
): void {
  const isMissing = (method: string) =>
    !Object.hasOwn(handlers, method) || typeof handlers[method] !== "function";
  const missing = Object.keys(methods).filter(isMissing);
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

/** @throws Error where the generated code and this runtime do not fit each other. */
export function checkContract({
  name,
  contract,
}: {
  readonly name: string;
  readonly contract: number;
}): void {
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

/**
 * Clients and exports are made for the transports of the spec: serving another one is a mistake.
 * @throws Error where the spec does not declare the transport.
 */
export function checkTransport(
  { name, transports }: Pick<Protocol, "name" | "transports">,
  transport: JsonRpcTransport,
): void {
  if (transports === undefined || transports.includes(transport)) return;
  throw new Error(
    `the ${name} interface is not declared for ${transport}: add it to \`wire.transports\` of the spec, which has ` +
      `${transports.join(", ")}, and generate the code again`,
  );
}

/** Every limit of a service, but for those of its messages. */
export type CheckedLimits = Required<Omit<ServiceLimits, "messageBytes" | "depth">>;

/** Longer timers end at once. */
const timerMsMax = 2 ** 31 - 1;

/** @throws RangeError where a limit makes no sense. */
export function checkLimits(chosen: ServiceLimits = {}): CheckedLimits {
  const { callsAtOnce = 128, callsQueued = 1024, timeoutMs = 30_000 } = chosen;
  const { batchAnswersBytes = 64 * 1024 * 1024 } = chosen;
  atLeast("callsAtOnce", callsAtOnce, 1);
  atLeast("callsQueued", callsQueued, 0);
  atLeast("timeoutMs", timeoutMs, 1);
  atLeast("batchAnswersBytes", batchAnswersBytes, 1);
  if (timeoutMs > timerMsMax)
    throw new RangeError(`limits.timeoutMs is ${timeoutMs}: give at most ${timerMsMax}`);
  return { callsAtOnce, callsQueued, timeoutMs, batchAnswersBytes };
}

function atLeast(name: string, value: number, least: number): void {
  if (!(value >= least)) throw new RangeError(`limits.${name} is ${value}: give at least ${least}`);
}
