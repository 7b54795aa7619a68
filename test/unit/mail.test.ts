import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { toBuffer } from "qrcode";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { mails as bankMails, type BankMailDraft } from "../../ledger/mails.ts";
import { folderMailer, ownMailsOnly, smtpMailer } from "../../runtime/events/mail/index.ts";
import { renderMail, type OwnMailDraft } from "../../runtime/events/mail/render-mail.ts";
import { idSource, systemClock } from "../../runtime/operations/system/index.ts";

const folder = mkdtempSync(join(tmpdir(), "ledger-mail-"));
afterAll(() => rmSync(folder, { recursive: true }));

const login = {
  kind: "portal-login",
  to: "rep@example.com",
  name: "Ann <Rep>",
  userName: "ann.rep",
  password: "correct horse",
  totpSecret: "JBSWY3DPEHPK3PXP",
} as const;

/** The message of a mail, as it is written when it is sent. */
function written(draft: BankMailDraft | OwnMailDraft, renderers = bankMails) {
  return renderMail(JSON.stringify(draft), renderers);
}

/** Answers a command with a code. */
function refuse(responseCode: number, message: string) {
  return (_address: unknown, _session: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error(message), { responseCode }));
}

describe("mail", () => {
  test("the folder transport writes one readable .eml a mail, for its owner only", async () => {
    const mails = join(folder, "mail");
    const mailer = folderMailer({
      folder: mails,
      from: "ledger@localhost",
      clock: systemClock,
      ids: idSource(systemClock),
    });
    await mailer.send(
      await written({ kind: "one-time-password", to: "a@example.com", otp: "123456", validMinutes: 5 }),
    );
    const [file = ""] = readdirSync(mails);
    expect(statSync(join(mails, file)).mode & 0o077).toBe(0);
    const mail = await PostalMime.parse(readFileSync(join(mails, file)));
    expect(mail.to?.[0]?.address).toBe("a@example.com");
    expect(mail.text).toContain("Your one-time password is 123456.");
  });

  test.each([
    ["endpoint-failing", "Your notifications do not arrive"],
    ["endpoint-given-up", "Your subscription was disabled: notifications do not arrive"],
    ["endpoint-gone", "Your subscription was disabled: its address is gone"],
  ] as const)("%s tells the owner which subscription, since when and why", async (kind, subject) => {
    const mail = await written({
      kind,
      to: "owner@example.com",
      subscriptionName: "Treasury",
      subscriptionId: "s-1",
      host: "hooks.example:8443",
      failingSince: Date.UTC(2026, 2, 2, 12),
      lastFailure: "timeout",
    });
    expect(mail).toMatchObject({ to: "owner@example.com", subject });
    for (const said of ["Treasury (s-1)", "hooks.example:8443", "2026-03-02T12:00:00.000Z", "timeout"])
      expect(mail.text).toContain(said);
  });

  test("the engine's own mails name who operates the service, and need no application", async () => {
    const gone = {
      kind: "endpoint-gone",
      to: "owner@example.com",
      subscriptionName: "Treasury",
      subscriptionId: "s-1",
      host: "hooks.example",
    } as const;
    expect((await written(gone)).text).toContain("disabled. Ask your bank to enable it again");
    expect((await written(gone, ownMailsOnly)).text).toContain("Ask the operator of the service to enable");
    const waiting = { kind: "events-waiting", to: "owner@example.com", waiting: 3 } as const;
    expect(await written(waiting, ownMailsOnly)).toMatchObject({ subject: "Your notifications wait" });
    expect(() => written(login, ownMailsOnly)).toThrow("a mail of kind portal-login has no renderer");
  });

  describe("SMTP", () => {
    const received: Buffer[] = [];
    let server: SMTPServer | undefined;
    afterEach(() => server?.close());

    /** `answer` says what becomes of a mail once all of it was received. */
    async function listen(
      options: ConstructorParameters<typeof SMTPServer>[0],
      answer: (take: () => void) => unknown = (take) => take(),
    ): Promise<number> {
      server = new SMTPServer({
        disabledCommands: ["STARTTLS"],
        ...options,
        onData(stream, _session, done) {
          const chunks: Buffer[] = [];
          stream.on("data", (chunk: Buffer) => chunks.push(chunk));
          stream.on("end", () => {
            received.push(Buffer.concat(chunks));
            answer(done);
          });
        },
      });
      server.on("error", () => {});
      server.listen(0, "127.0.0.1");
      await once(server.server, "listening");
      const address: AddressInfo | string | null = server.server.address();
      if (address === null || typeof address === "string") throw new Error("no port");
      return address.port;
    }

    test("a portal login arrives with its QR picture, and names are escaped in HTML", async () => {
      const port = await listen({ authOptional: true });
      const mailer = smtpMailer({ host: "127.0.0.1", port, security: "none", from: "bank@example.com" });
      await mailer.send(await written(login));
      await mailer.close();
      const mail = await PostalMime.parse(received.at(-1) ?? "", { attachmentEncoding: "base64" });
      expect(mail.text).toContain("correct horse");
      expect(mail.html).toContain("Ann &#60;Rep&#62;");
      const [picture] = mail.attachments;
      expect(picture?.mimeType).toBe("image/png");
      const account = "Ledger%20portal%3Aann.rep?secret=JBSWY3DPEHPK3PXP&issuer=Ledger%20portal";
      const expected = await toBuffer(`otpauth://totp/${account}`, { margin: 2, width: 240 });
      expect(picture?.content).toBe(expected.toString("base64"));
    });

    test.each([
      ["an unknown recipient", { onRcptTo: refuse(550, "5.1.1 no ann") }, "refused", "smtp-550 5.1.1"],
      [
        "a recipient who is to be tried later",
        { onRcptTo: refuse(451, "greylisted") },
        "refused",
        "smtp-451",
      ],
      ["a sender who may not send", { onMailFrom: refuse(550, "not you") }, "server", "smtp-550"],
      ["a server that ends", { onMailFrom: refuse(421, "closing") }, "unreachable", "smtp-421"],
    ] as const)("%s is a failure of the right side", async (_name, options, failure, word) => {
      const port = await listen({ authOptional: true, ...options });
      const mailer = smtpMailer({ host: "127.0.0.1", port, security: "none", from: "bank@example.com" });
      await mailer.check();
      await expect(mailer.send(await written(login))).rejects.toMatchObject({
        name: "MailError",
        failure,
        word,
      });
      await mailer.close();
    });

    test("a server that is gone is unreachable for a mail and for a question", async () => {
      const port = await listen({ authOptional: true });
      await new Promise<void>((resolve) => server?.close(resolve));
      const mailer = smtpMailer({ host: "127.0.0.1", port, security: "none", from: "bank@example.com" });
      const gone = { name: "MailError", failure: "unreachable", word: "connection-refused" };
      await expect(mailer.send(await written(login))).rejects.toMatchObject(gone);
      await expect(mailer.check()).rejects.toMatchObject(gone);
      await mailer.close();
    });

    test.each([
      ["tls", { secure: true }, "certificate-expired"],
      ["starttls", { disabledCommands: [] }, "certificate-expired"],
      ["tls", {}, "tls-failed"],
    ] as const)("what TLS says by %s with %j is a word: %s", async (security, options, word) => {
      const port = await listen({ authOptional: true, ...options, disabledCommands: [] });
      const mailer = smtpMailer({ host: "127.0.0.1", port, security, from: "bank@example.com" });
      await expect(mailer.check()).rejects.toMatchObject({ failure: "unreachable", word });
    });

    test("a login that is refused is the server's code", async () => {
      const port = await listen({
        onAuth: (_auth, _session, done) => done(Object.assign(new Error("5.7.8 no"), { responseCode: 535 })),
        allowInsecureAuth: true,
      });
      const login = { user: "bank", password: "wrong" };
      const server = { host: "127.0.0.1", port, security: "none", from: "bank@example.com" } as const;
      await expect(smtpMailer({ ...server, ...login }).check()).rejects.toMatchObject({
        failure: "unreachable",
        word: "smtp-535 5.7.8",
      });
    });

    test.each(["takes the mail later", "ends the connection instead of an answer"])(
      "a server that %s was handed the mail before",
      async (what) => {
        const isTaken = what === "takes the mail later";
        const handedOver = Promise.withResolvers<void>();
        const port = await listen({ authOptional: true }, async (take) => {
          await handedOver.promise;
          if (isTaken) take();
          else for (const connection of server?.connections ?? []) connection.close();
        });
        const mailer = smtpMailer({ host: "127.0.0.1", port, security: "none", from: "bank@example.com" });
        const sending = mailer.send(await written(login), {
          signal: new AbortController().signal,
          handedOver: handedOver.resolve,
        });
        if (isTaken) await sending;
        else await expect(sending).rejects.toMatchObject({ name: "MailError", failure: "server" });
      },
    );

    test("an attempt whose server hangs is ended with its connection", async () => {
      const closed = Promise.withResolvers<void>();
      const hanging = Promise.withResolvers<void>();
      const port = await listen({
        authOptional: true,
        onRcptTo: () => hanging.resolve(),
        onClose: () => closed.resolve(),
      });
      const mailer = smtpMailer({ host: "127.0.0.1", port, security: "none", from: "bank@example.com" });
      const ended = new AbortController();
      const sending = expect(
        mailer.send(await written(login), { signal: ended.signal, handedOver: () => undefined }),
      ).rejects.toThrow();
      await hanging.promise;
      ended.abort();
      await sending;
      await closed.promise;
      await mailer.close();
    });

    test("a server without TLS is refused where STARTTLS is required", async () => {
      const port = await listen({ authOptional: true });
      const before = received.length;
      const mailer = smtpMailer({ host: "127.0.0.1", port, security: "starttls", from: "bank@example.com" });
      await expect(mailer.send(await written(login))).rejects.toThrow();
      expect(received.length).toBe(before);
      await mailer.close();
    });
  });
});
