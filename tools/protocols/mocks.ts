import type { ServiceModel } from "../../generator/model/index.ts";
import { MissingPart } from "../../generator/protocols/folders.ts";
import { isStandard } from "../../generator/protocols/json-rpc/wire.ts";
import { jsonRpcMock } from "./json-rpc/mock.ts";
import type { MockKind } from "./port.ts";
import { signedMock } from "./signed/mock.ts";

const mocks: Readonly<Record<string, MockKind>> = { "signed-envelope": signedMock };

/** How an interface is mocked. @throws MissingPart if its protocol has no mock */
export function mockOf({ wire }: Pick<ServiceModel, "wire">): MockKind {
  const own = isStandard(wire) ? jsonRpcMock : mocks[wire.protocol];
  if (own === undefined) throw new MissingPart(wire.protocol, "the mock", "tools/protocols");
  return own;
}
