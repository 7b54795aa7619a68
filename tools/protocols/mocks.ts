import type { ServiceModel } from "../../generator/model/index.ts";
import { jsonRpcMock } from "./json-rpc/mock.ts";
import type { MockKind } from "./port.ts";
import { envelopeMock } from "./signed/mock/index.ts";

const mocks: Readonly<Record<ServiceModel["wire"]["protocol"], MockKind>> = {
  "json-rpc-2.0": jsonRpcMock,
  "signed-envelope": {
    errorNames: ({ errors }) => errors.map(({ code }) => code),
    mock: (access, served) => ({ handle: envelopeMock(access, served) }),
  },
};

/** How an interface is mocked. */
export function mockOf({ wire }: Pick<ServiceModel, "wire">): MockKind {
  return mocks[wire.protocol];
}
