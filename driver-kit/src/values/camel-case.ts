/** Makes property names of foreign names. Pure. */
import { isName } from "@porchlight/shared/model";

/** Leaves room for a number at the end. */
const LONGEST = 60;

/** Undefined when the text yields no valid name. */
export function camelCase(text: string): string | undefined {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
  const words = plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const lowered = words.map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word));
  const humped = lowered.map((word, at) => {
    const [first = "", rest = word.slice(1)] = [word[0]];
    return (at === 0 ? first.toLowerCase() : first.toUpperCase()) + rest;
  });
  const name = humped.join("").slice(0, LONGEST);
  return isName(name) ? name : undefined;
}
