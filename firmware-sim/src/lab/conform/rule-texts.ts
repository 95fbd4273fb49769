/**
 * Reads the sentences of the protocol document by their numbers: the document itself is what is proved, so its text is not repeated in
 * code.
 */

/** The text of each number, in the order of the document, without marks of emphasis and code. */
export function ruleTexts(document: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let open: { id: string; words: string[] } | undefined;
  const close = () => {
    if (open) texts.set(open.id, plain(open.words.join(" ")));
    open = undefined;
  };
  for (const line of document.split("\n")) {
    const begun = /^\*\*([A-Z]\d+)\.\*\* (.*)$/.exec(line);
    if (begun) {
      close();
      open = { id: begun[1] ?? "", words: [begun[2] ?? ""] };
    } else if (/^\s*$|^[#|`-]/.test(line)) close();
    else open?.words.push(line.trim());
  }
  close();
  return texts;
}

function plain(text: string): string {
  return text.replace(/\*\*|`/g, "").replace(/\*(\S[^*]*)\*/g, "$1");
}
