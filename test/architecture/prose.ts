/** Prose of Markdown pages: sentences and words outside code and tables, and links with their anchors. */

/** A sentence has at most this many words; inline code counts as one. */
export const SENTENCE_WORDS = 28;
/** Words that name no actor, or stand for the verb of the field: report, announce, reject, delete. */
const VAGUE_WORDS = /\b(?:somebody|nobody|whoever|whatever|told|tells|said)\b/gi;

const ABBREVIATIONS = /\b(?:e\.g|i\.e|etc|vs|approx)\.$/;
const SENTENCE_END = /([.!?][)"”*]*)\s+(?=[A-Z0-9"“`*([<_])/;

const FENCED_CODE = /^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2 *$/gm;

interface Block {
  readonly isProse: boolean;
  readonly text: string;
}

/** Paragraphs and list items are prose; headings and rows of tables are not. Code blocks and comments are left out. */
function blocksOf(page: string): readonly Block[] {
  const text = page.replaceAll(FENCED_CODE, "").replaceAll(/<!--[\s\S]*?-->/g, "");
  const blocks: Block[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) blocks.push({ isProse: true, text: open.join(" ") });
    open = [];
  };
  let isList = false;
  for (const line of text.split("\n")) {
    const marker = /^\s*(?:[-*]|\d+\.)\s+/.exec(line)?.[0];
    if (/^\s*\||^#/.test(line)) {
      close();
      isList = false;
      blocks.push({ isProse: false, text: line });
    } else if (line.trim() === "") close();
    else if (/^ {4}/.test(line) && !isList && open.length === 0) continue;
    else {
      if (marker !== undefined) close();
      if (open.length === 0) isList = marker !== undefined || (isList && /^\s/.test(line));
      open.push(line.slice(marker?.length ?? 0).trim());
    }
  }
  close();
  return blocks;
}

/** The sentences of a page's prose. */
export function sentencesOf(page: string): readonly string[] {
  const prose = blocksOf(page).filter(({ isProse }) => isProse);
  return prose.flatMap(({ text }) => {
    const parts = text.split(SENTENCE_END);
    const sentences: string[] = [];
    for (let at = 0; at < parts.length; at += 2) {
      const sentence = `${parts[at] ?? ""}${parts[at + 1] ?? ""}`.trim();
      const before = sentences.at(-1);
      if (before !== undefined && ABBREVIATIONS.test(before)) sentences[sentences.length - 1] = `${before} ${sentence}`;
      else if (sentence !== "") sentences.push(sentence);
    }
    return sentences;
  });
}

/** How many words a sentence has: parts between spaces with a letter or a digit. */
export function wordsIn(sentence: string): number {
  return plainOf(sentence)
    .split(/\s+/)
    .filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
}

/** The vague words of a page outside code, also in its tables and headings. */
export function vagueWordsOf(page: string): readonly string[] {
  return blocksOf(page).flatMap(({ text }) => vagueWordsIn(plainOf(text)));
}

/** The vague words of a plain text. */
export function vagueWordsIn(text: string): readonly string[] {
  return [...text.matchAll(VAGUE_WORDS)].map(([word]) => word.toLowerCase());
}

/** Links to other files of the repository and to anchors: `path` from the page's folder, empty for the page itself. */
export function linksOf(page: string): readonly { path: string; anchor: string | undefined }[] {
  const text = page.replaceAll(FENCED_CODE, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href = ""]) => {
    if (/^[a-z]+:/i.test(href)) return [];
    const [path = "", anchor] = href.split("#");
    return [{ path, anchor }];
  });
}

/** The anchors of a page: those of its headings, as GitHub makes them, and those that are written out. */
export function anchorsOn(page: string): ReadonlySet<string> {
  const text = page.replaceAll(FENCED_CODE, "");
  const headings = [...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = ""]) =>
    plainOf(heading.replaceAll("`", ""))
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = ""]) => id)]);
}

/** Text without marks: inline code is one word, a link is its text. */
function plainOf(text: string): string {
  return text
    .replaceAll(/`[^`]*`/g, "`code`")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/\*\*|__/g, "");
}
