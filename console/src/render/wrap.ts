/** Wraps text. Apart from the tables, because the help loads it before any command and any schema. */

/** @param width columns of a line; a longer word stays whole */
export function wrapped(text: string, width: number): string[] {
  const room = Math.max(20, width);
  const found: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      found.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...found, line];
}
