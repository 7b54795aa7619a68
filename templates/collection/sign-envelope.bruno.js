// Signs the request: ECDSA P-256 with SHA-256 over the payload's text, or over the whole body of an operation without
// an envelope. Needs Bruno's developer mode. What it uses: userName, apiKey, keyId, privateKey.
const { createPrivateKey, sign } = require("node:crypto");
const text = (name) => {
  const value = bru.getEnvVar(name);
  if (!value) throw new Error(`Set the variable ${name} in the environment: see the collection's docs.`);
  return value;
};
const der = Buffer.from(text("privateKey"), "base64");
const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
const signatureOf = (signed) => sign("sha256", Buffer.from(signed), key).toString("base64");

const given = req.getBody();
const raw = typeof given === "string" ? given : JSON.stringify(given);
// What the request holds is looked through for variables once more when it is sent: none may stand in it by then.
const printed = (value) => JSON.stringify(value).replace(/\{(?=\{)/g, "\\u007b");
const signRequest = () => {
  const body = JSON.parse(bru.interpolate(raw));
  const credential = `Basic ${Buffer.from(`${text("userName")}:${text("apiKey")}`).toString("base64")}`;
  if (req.getHeader("Signature") === "flat") {
    const sent = printed(body);
    req.setHeader("Authorization", credential);
    req.setHeader(
      "Signature",
      `keyId=${text("keyId")},algorithm=ecdsa-sha256,signature=${signatureOf(sent)}`,
    );
    req.setBody(sent);
  } else {
    const { api, payload } = body.params;
    const members = {
      credential,
      apiKey: text("apiKey"),
      keyId: text("keyId"),
      signature: signatureOf(printed(payload)),
    };
    for (const name of Object.keys(api)) api[name] = members[name];
    // The payload is printed here as it was when it was signed.
    req.setBody(printed(body));
  }
};

// A one-time password, for example, has no value before it is mailed.
const missing = [...raw.matchAll(/\{\{(\w+)\}\}/g)].find(([, name]) => !bru.getEnvVar(name))?.[1];
if (missing === undefined) signRequest();
else {
  console.log(`${req.getName()} is not sent: the variable ${missing} has no value.`);
  bru.runner.skipRequest();
}
