/** A query parameter of a URL: its separator and name, and its value. */
const parameter = /([?&;])([\w.%-]{1,64})=([^&;#\s"'<>`]+)/g;
/** A password with characters that would have to be encoded, or behind one slash: no parser takes it, and it is printed. */
const unencoded = /:\/\/?[^\s/?#@:"'<>`]{0,200}:(?!\d{1,5}[/?#])[^\s"'<>`]{0,200}@/g;
const secretName = /token|key|secret|passw|pwd|passphrase|signature|credential|auth|otp|^sig$|^code$/i;

/**
 * The text with `***` for the user and password of every URL in it, and for the query parameters that are secrets by their
 * names: `https://***@collector.example/v1/traces?token=***`. For everything that is printed or logged.
 */
export function withoutUrlSecrets(text: string): string {
  if (!text.includes(":/") && !text.includes("?")) return text;
  return text
    .replace(/:\/\/[^\s/?#"'<>`]*@/g, "://***@")
    .replace(unencoded, "://***@")
    .replace(parameter, (whole, separator: string, name: string) =>
      secretName.test(name) ? `${separator}${name}=***` : whole,
    );
}
