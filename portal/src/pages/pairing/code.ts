/** Parses a hub's code as a person types it: with or without hyphen, in lower case, or as the link that contains it. */

/** Consonants that are distinguishable and form no words. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

type ReadCode =
  | { readonly kind: "code"; readonly code: string }
  /** The code is incomplete. */
  | { readonly kind: "short"; readonly missing: number }
  | { readonly kind: "wrong"; readonly why: string };

export function readCode(text: string): ReadCode {
  const letters = codeOfLink(text)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "");
  const strange = [...letters].find((letter) => !LETTERS.includes(letter));
  if (strange !== undefined)
    return {
      kind: "wrong",
      why: `A code never contains ${strange}. It has only consonants: no vowels, no Y and no digits.`,
    };
  if (letters.length > LENGTH) return { kind: "wrong", why: `A code has ${LENGTH} letters.` };
  if (letters.length < LENGTH) return { kind: "short", missing: LENGTH - letters.length };
  return { kind: "code", code: `${letters.slice(0, 4)}-${letters.slice(4)}` };
}

/** The value of `code=` in a pasted link. */
function codeOfLink(text: string): string {
  const trimmed = text.trim();
  if (!/^https?:/i.test(trimmed) || !URL.canParse(trimmed)) return trimmed;
  return new URL(trimmed).searchParams.get("code") ?? "";
}

/** Splits a fingerprint into parts that the eye can compare. @param fingerprint "SHA256:…" */
export function fingerprintParts(fingerprint: string): readonly string[] {
  const [kind = "", digest = ""] = fingerprint.split(":", 2);
  return [`${kind}:`, ...(digest.match(/.{1,4}/g) ?? [])];
}
