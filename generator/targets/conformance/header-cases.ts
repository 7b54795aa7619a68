import type { Expectation } from "../../../conformance/suite/case.ts";
import { provesKey } from "../../../conformance/suite/proves-key.ts";
import type { CaseList } from "./case-list.ts";

const rule = "header-signatures";

/** Header signatures beside an envelope: optional, and never against what the envelope says (D-23). */
export function headerCases(list: CaseList): void {
  if (!list.has(rule)) return;
  const code = list.fault("invalidSignature");
  for (const method of list.enveloped.filter(({ transport }) => provesKey(transport))) {
    const add = list.adderOf(method, rule, "headers");
    const refused: Expectation = { kind: "error", codes: [code] };
    const codes = [...new Set(list.suite.auth.map(({ missing }) => missing)), list.fault("badInput")];
    const taken: Expectation = { kind: "taken", notCodes: codes };
    add("agree", "headers that agree", { headerSignature: "agrees" }, taken);
    add("other-signature", "another signature in the header", { headerSignature: "differs" }, refused);
    if (method !== list.probe) continue;
    add("other-key", "another key in the header", { headerSignature: "other-key" }, refused);
    add(
      "credential-agrees",
      "only the credential, and it agrees",
      { headerSignature: "credential-only" },
      taken,
    );
    add(
      "other-credential",
      "another credential in the header",
      { headerSignature: "credential-differs" },
      refused,
    );
    add("malformed", "a header that is no signature", { headers: { signature: "nonsense" } }, refused);
    add("device", "a DeviceID beside it", { headers: { deviceid: "device-1" } }, taken, "document");
  }
}
