import { sectionsOf } from "./document.ts";
import { isSilent, sentencesOf } from "./sentences.ts";
import type { SpecFiles } from "./spec-files.ts";

type Requirements = SpecFiles["requirements"];

/** Where the requirements and the texts that they are taken from differ, in words. */
export function requirementProblems(
  markdown: string,
  decisions: string,
  requirements: Requirements,
): readonly string[] {
  const stated = new Map([...documentSentences(markdown), ...decisionSentences(decisions)]);
  const required = new Map<string, string>();
  const problems: string[] = [];
  for (const [id, { doc, section, decision }] of Object.entries(requirements)) {
    const key = keyOf(section ?? String(decision), doc);
    const twin = required.get(key);
    if (twin !== undefined) problems.push(`${id}: says what ${twin} says`);
    required.set(key, id);
    if (!stated.has(key)) problems.push(`${id}: ${section ?? String(decision)} does not say "${doc}"`);
  }
  for (const [key, where] of stated) if (!required.has(key)) problems.push(`nobody requires ${where}`);
  return problems;
}

function documentSentences(markdown: string): readonly (readonly [string, string])[] {
  return sectionsOf(markdown)
    .filter(({ number }) => number !== "")
    .flatMap((section) =>
      sentencesOf(section)
        .filter((sentence) => !isSilent(sentence))
        .map((sentence) => [keyOf(section.number, sentence), `${section.number}: ${sentence}`] as const),
    );
}

function decisionSentences(markdown: string): readonly (readonly [string, string])[] {
  const rows = markdown.matchAll(/^\| (D-\d\d) +\| (.*?) +\| (.*?) *\|$/gm);
  return [...rows].map(([, id = "", question = "", answer = ""]) => [
    keyOf(id, `${question} | ${answer}`),
    `${id}: ${question}`,
  ]);
}

function keyOf(place: string, sentence: string): string {
  return `${place} ${sentence}`;
}
