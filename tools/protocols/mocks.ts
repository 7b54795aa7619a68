import type { ServiceModel } from "../../generator/model/index.ts";
import { MissingPart } from "../../generator/protocols/folders.ts";
import { jsonRpcMock } from "./json-rpc/mock.ts";
import type { MockKind } from "./port.ts";
import { signedMock } from "./signed/mock.ts";

const mocks: Readonly<Record<string, MockKind>> = {
  "json-rpc-2.0": jsonRpcMock,
  "signed-envelope": signedMock,
};

/** How an interface is mocked. @throws MissingPart if its protocol has no mock */
export function mockOf({ wire: { protocol } }: Pick<ServiceModel, "wire">): MockKind {
  const own = mocks[protocol];
  if (own === undefined) throw new MissingPart(protocol, "the mock", "tools/protocols");
  return own;
}
