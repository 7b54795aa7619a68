// Signs the request: ECDSA P-256 with SHA-256 over the payload's text, or over the whole body of an operation without
// an envelope. Needs Postman with the Web Crypto API. What it uses: userName, apiKey, keyId, privateKey.
const text = (name) => {
  const value = pm.variables.get(name);
  if (!value) throw new Error(`Set the variable ${name}: see the collection's description.`);
  return value;
};
const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
const base64Of = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const signatureOf = async (signed) => {
  const key = await crypto.subtle.importKey("pkcs8", bytesOf(text("privateKey")), algorithm, false, ["sign"]);
  return base64Of(await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(signed)));
};

const body = JSON.parse(pm.variables.replaceIn(pm.request.body.raw));
const credential = `Basic ${base64Of(new TextEncoder().encode(`${text("userName")}:${text("apiKey")}`))}`;
if (pm.request.headers.get("Signature") === "flat") {
  const sent = JSON.stringify(body);
  const signature = await signatureOf(sent);
  pm.request.headers.upsert({ key: "Authorization", value: credential });
  pm.request.headers.upsert({
    key: "Signature",
    value: `keyId=${text("keyId")},algorithm=ecdsa-sha256,signature=${signature}`,
  });
  pm.request.body.update({ mode: "raw", raw: sent });
} else {
  const { api, payload } = body.params;
  const members = {
    credential,
    apiKey: text("apiKey"),
    keyId: text("keyId"),
    signature: await signatureOf(JSON.stringify(payload)),
  };
  for (const name of Object.keys(api)) api[name] = members[name];
  // The payload is printed here as it was when it was signed.
  pm.request.body.update({ mode: "raw", raw: JSON.stringify(body) });
}
