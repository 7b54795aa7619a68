import type { JsonRpcInterfaceDescriptor, JsonRpcTransport } from "../contract/index.ts";

/**
 * Clients and exports are made for the transports of the spec: serving another one is a mistake.
 * @throws Error where the spec does not declare the transport.
 */
export function checkTransport(
  { name, transports }: JsonRpcInterfaceDescriptor,
  transport: JsonRpcTransport,
): void {
  if (transports.includes(transport)) return;
  throw new Error(
    `the ${name} interface is not declared for ${transport}: add it to \`wire.transports\` of the spec, which has ` +
      `${transports.join(", ")}, and generate the code again`,
  );
}
