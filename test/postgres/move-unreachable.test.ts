import { expect, test } from "vitest";
import { moveInstitution } from "../../runtime/storage/move/institution/index.ts";
import { testDatabase } from "./databases.ts";

test.each(["first", "west"])("a move says that database %s is away, and what to do", async (away) => {
  const { url, dispose } = await testDatabase();
  const urlOf = (name: string): string => (name === away ? "postgres://ledger@127.0.0.1:1/away" : url);
  const databases = ["first", "west"].map((name) => ({ name, url: urlOf(name) }));
  const moving = moveInstitution({ institutionId: "1", databases, to: "west", onProgress: () => undefined });
  await expect(moving).rejects.toThrow(
    new RegExp(`^Database ${away}: the database server cannot be reached.*run the same command again$`),
  );
  await dispose();
});
