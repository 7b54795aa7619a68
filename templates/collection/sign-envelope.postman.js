// Signs the request: ECDSA P-256 with SHA-256 over the payload's text, or over the whole body of an operation without
// an envelope. What it uses: userName, apiKey, keyId, privateKey. Scripts in newman have neither the Web Crypto API nor
// random numbers: so the signature is computed here, its nonce from key and text (RFC 6979).
const { HmacSHA256, SHA256, enc } = require("crypto-js");
const text = (name) => {
  const value = pm.variables.get(name);
  if (!value) throw new Error(`Set the variable ${name}: see the collection's description.`);
  return value;
};

const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const generator = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};
const modulo = (value, modulus) => ((value % modulus) + modulus) % modulus;
const inverse = (value, modulus) => {
  let [rest, divisor, factor, next] = [modulus, modulo(value, modulus), 0n, 1n];
  while (divisor > 0n) {
    const quotient = rest / divisor;
    [rest, divisor] = [divisor, rest - quotient * divisor];
    [factor, next] = [next, factor - quotient * next];
  }
  return modulo(factor, modulus);
};
const sum = (a, b) => {
  if (a === undefined) return b;
  const slope =
    a.x === b.x ? 3n * (a.x * a.x - 1n) * inverse(2n * a.y, prime) : (b.y - a.y) * inverse(b.x - a.x, prime);
  const x = modulo(slope * slope - a.x - b.x, prime);
  return { x, y: modulo(slope * (a.x - x) - a.y, prime) };
};
const product = (scalar) => {
  let [total, doubled] = [undefined, generator];
  for (let bits = scalar; bits > 0n; bits >>= 1n) {
    if (bits & 1n) total = sum(total, doubled);
    doubled = sum(doubled, doubled);
  }
  return total;
};

const hexOf = (number) => number.toString(16).padStart(64, "0");
const numberOf = (hex) => BigInt(`0x${hex}`);
const hmac = (key, hex) => HmacSHA256(enc.Hex.parse(hex), enc.Hex.parse(key)).toString();
const derInteger = (number) => {
  const digits = number.toString(16);
  const even = digits.padStart(digits.length + (digits.length % 2), "0");
  const bytes = /^[89a-f]/.test(even) ? `00${even}` : even;
  return `02${(bytes.length / 2).toString(16).padStart(2, "0")}${bytes}`;
};
const secret = () => {
  const der = enc.Base64.parse(text("privateKey")).toString();
  const scalar = /0201010420([\da-f]{64})/.exec(der);
  if (scalar === null) throw new Error("privateKey is no key of the curve P-256 as PKCS #8, DER, in base64.");
  return numberOf(scalar[1]);
};
const signatureOf = (signed) => {
  const key = secret();
  const digest = numberOf(SHA256(signed).toString());
  const seed = hexOf(key) + hexOf(digest % order);
  let [state, value] = ["00".repeat(32), "01".repeat(32)];
  for (const step of [`00${seed}`, `01${seed}`]) {
    state = hmac(state, value + step);
    value = hmac(state, value);
  }
  for (;;) {
    value = hmac(state, value);
    const nonce = numberOf(value);
    if (nonce > 0n && nonce < order) {
      const r = product(nonce).x % order;
      const s = modulo(inverse(nonce, order) * (digest + r * key), order);
      if (r > 0n && s > 0n) {
        const pair = derInteger(r) + derInteger(s);
        const der = `30${(pair.length / 2).toString(16).padStart(2, "0")}${pair}`;
        return enc.Base64.stringify(enc.Hex.parse(der));
      }
    }
    state = hmac(state, `${value}00`);
    value = hmac(state, value);
  }
};

const { raw } = pm.request.body;
// What the request holds is looked through for variables once more when it is sent: none may stand in it by then.
const printed = (value) => JSON.stringify(value).replace(/\{(?=\{)/g, "\\u007b");
const signRequest = () => {
  const body = JSON.parse(pm.variables.replaceIn(raw));
  const credential = `Basic ${enc.Base64.stringify(enc.Utf8.parse(`${text("userName")}:${text("apiKey")}`))}`;
  if (pm.request.headers.get("Signature") === "flat") {
    const sent = printed(body);
    pm.request.headers.upsert({ key: "Authorization", value: credential });
    pm.request.headers.upsert({
      key: "Signature",
      value: `keyId=${text("keyId")},algorithm=ecdsa-sha256,signature=${signatureOf(sent)}`,
    });
    pm.request.body.update({ mode: "raw", raw: sent });
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
    pm.request.body.update({ mode: "raw", raw: printed(body) });
  }
};

// A one-time password, for example, has no value before it is mailed.
const missing = [...raw.matchAll(/\{\{(\w+)\}\}/g)].find(([, name]) => !pm.variables.get(name))?.[1];
if (missing === undefined) signRequest();
else {
  console.log(`${pm.info.requestName} is not sent: the variable ${missing} has no value.`);
  pm.execution.skipRequest();
}
