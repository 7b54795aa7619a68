import { randomBytes } from "node:crypto";
import { omitUndefined } from "../base/omit-undefined.ts";
import type { Access } from "../request/access.ts";
import { carrierOf, type MessageCarrier } from "../request/carrier.ts";
import { createMessageTransport } from "../request/message-transport.ts";
import { createTransport } from "../request/transport.ts";
import type { JsonRpcBuild } from "../request/wire-request.ts";
import { createEnvironment } from "../scenario/create-environment.ts";
import { createReceiver, type Receiver } from "../scenario/receiver.ts";
import { claimsOf } from "../session/capabilities.ts";
import { createContext } from "../session/context.ts";
import { openIssuer } from "../session/issuer.ts";
import type { Level, MethodEntry, Suite } from "../suite/suite.ts";
import type { RunOptions } from "./run-options.ts";

/** The connections of a run: to the service, and its own receivers. */
export async function openRun(options: RunOptions, level: Level, concurrency: number) {
  const { suite, access, baseUrl, timeoutMs = 10_000, eventTimeoutMs = 5_000 } = options;
  const { wire } = suite;
  const carrier = carrierOf(baseUrl);
  const transport = (carrier === undefined ? createTransport : createMessageTransport)(
    omitUndefined({
      baseUrl,
      timeoutMs,
      connectionsMax: concurrency,
      messageSignatures: access.messageSignatures,
      onExchange: options.onExchange,
    }),
  );
  const claims = claimsOf(options.capabilities ?? { lacks: [] }, suite);
  const receiver = claims.has("events") ? receiverOf(options) : undefined;
  const callbackUrl = await receiver?.open();
  const rpc = rpcOf(suite, access, baseUrl, carrier);
  const issuer =
    wire === undefined || options.issuerPort === undefined
      ? undefined
      : await openIssuer(options.issuerPort, wire);
  const context = createContext(
    omitUndefined({
      suite,
      access,
      baseUrl,
      level,
      transport,
      probe: probeOf(suite),
      claims,
      settings: { httpStatus: "ok", ...options.settings },
      nonce: randomBytes(6).toString("hex"),
      callbackUrl: callbackUrl?.url,
      rpc,
      carrier,
    }),
  );
  const { environment, close } = createEnvironment({
    context,
    access,
    operatorUrl: claims.has("operator") ? access.operatorUrl : undefined,
    receiver,
    mailFolder: claims.has("mail") ? options.mailFolder : undefined,
    timeoutMs,
    eventTimeoutMs,
    connectionsMax: concurrency,
    signal: options.signal,
  });
  return {
    context,
    environment,
    close: async (): Promise<void> => {
      transport.close();
      issuer?.close();
      await close();
    },
  };
}

/** Undefined of the signed envelope. */
function rpcOf(
  { wire, methods }: Suite,
  { credentials = {} }: Access,
  baseUrl: string,
  carrier: MessageCarrier | undefined,
): JsonRpcBuild | undefined {
  if (wire === undefined) return undefined;
  const byName = new Map(methods.map((method) => [method.name, method]));
  return {
    protocol: wire,
    credentials,
    methodOf: (name) => byName.get(name),
    pathPrefix: carrier === "stdio" ? "" : new URL(baseUrl).pathname.replace(/\/$/, ""),
    ...omitUndefined({ isByHandshake: carrier === undefined ? undefined : true }),
  };
}

/** On this machine a receiver needs no address; elsewhere the service has to be given one. */
function receiverOf({ baseUrl, callback }: RunOptions): Receiver | undefined {
  if (callback?.url !== undefined) return createReceiver({ port: callback.port, publicUrl: callback.url });
  const { hostname } = new URL(baseUrl);
  const isHere = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname);
  return isHere ? createReceiver({ port: callback?.port ?? 0 }) : undefined;
}

function probeOf({ methods, probe }: Suite): MethodEntry {
  const method = methods.find(({ name }) => name === probe) ?? methods[0];
  if (method === undefined) throw new Error("the suite has no operations");
  return method;
}
