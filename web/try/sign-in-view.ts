import { el, show, type Child } from "../shared/dom.ts";
import { generateKey } from "../shared/key.ts";
import type { KeptCaller } from "../shared/kept-caller.ts";
import { signInForm, type Caller } from "../shared/sign-in.ts";
import { copyButton, notice } from "../shared/view.ts";

/** Asks who signs the envelope, unless that was said before a reload; the page makes a key for who has none. */
export function signInView(interfaceName: string, kept: KeptCaller, signIn: (caller: Caller) => void): Child {
  void kept.recall().then((caller) => caller !== undefined && signIn(caller));
  const pem = el("div");
  let generated: Caller["privateKey"] | undefined;
  const generate = async (): Promise<void> => {
    const { publicPem, privateKey } = await generateKey();
    generated = privateKey;
    show(
      pem,
      notice(
        "hint",
        "Give this public key to the operator, or register it; then type the identifier that it got.",
      ),
      el("pre", { tabindex: "0" }, publicPem),
      copyButton(publicPem),
    );
  };
  return [
    signInForm({
      ...(interfaceName === "operator" && { accessMember: "operator" }),
      ownKey: () => generated,
      signIn: async (caller) => {
        await kept.keep(caller);
        signIn(caller);
      },
    }),
    el("h2", {}, "No key yet?"),
    el(
      "p",
      { class: "actions" },
      el("button", { type: "button", onclick: () => void generate() }, "Make a key pair here"),
    ),
    pem,
  ];
}
