/** Who did something, in words: the beginning of a sentence, and a part of one. */

/** Of `why`, as the API answers it. */
export interface Sender {
  readonly kind: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly isDeleted?: true | undefined;
  readonly tokenId?: string | undefined;
  readonly address?: string | undefined;
  /** Of a log-in. */
  readonly userAgent?: string | undefined;
}

const KINDS: Readonly<Record<string, string>> = { account: "the account", server: "the server", user: "the user" };

/** `the user Anna's phone`, `the account`, `a token that is not kept any more`; of nobody undefined. */
export function senderWords(sender: Sender | undefined): string | undefined {
  if (!sender) return undefined;
  const { kind, name, id, tokenId, isDeleted, userAgent } = sender;
  if (kind === "local")
    return name === undefined ? "somebody at home" : `the token ${shortened(name)} of the hub's own API`;
  const known = KINDS[kind];
  if (known === undefined) return `a token that is not kept any more${tokenId === undefined ? "" : ` (${tokenId})`}`;
  const called = isDeleted
    ? `${shortened(name ?? id ?? "")} (deleted)`
    : name !== undefined
      ? shortened(name)
      : kind === "account"
        ? ""
        : (id ?? "");
  const program = userAgent === undefined ? "" : ` with ${browserOf(userAgent)}`;
  return `${`${known} ${called}`.trim()}${program}`;
}

/** The same at the beginning of a sentence, with where the request came from. */
export function senderSubject(sender: Sender | undefined, otherwise: string): string {
  const words = senderWords(sender);
  const text = words === undefined ? otherwise : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return sender?.address === undefined ? text : `${text} (from ${sender.address})`;
}

// What of a user agent tells a person anything.

/** In the order of the claims: Edge says that it is Chrome, and Chrome that it is Safari. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, "Edge"],
  [/\bOPR\/(\d+)/, "Opera"],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//, "Safari"],
] as const;
const SYSTEMS = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;
const LONGEST = 60;

/** "Firefox 145 on Linux"; what is no browser's is shown as it is, cut where it is long. */
export function browserOf(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent === "") return "unknown program";
  for (const [pattern, name] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version === undefined) continue;
    const system = SYSTEMS.find(([mark]) => mark.test(userAgent))?.[1];
    return system === undefined ? `${name} ${version}` : `${name} ${version} on ${system}`;
  }
  const characters = [...userAgent];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : userAgent;
}

// A name or a value short enough for a sentence: both ends stay, because names that are alike differ at one of them.

/** Characters of a name or a value in a sentence. */
const MOST = 100;
/** So much of what stays is its beginning. */
const BEGINNING = 0.6;

export function shortened(text: string, most = MOST): string {
  if (text.length <= most) return text;
  // Whole code points; a long text is not taken apart for its ends.
  const [head, tail] = [[...text.slice(0, 2 * most)], [...text.slice(-2 * most)]];
  const first = Math.ceil((most - 1) * BEGINNING);
  return `${head.slice(0, first).join("")}…${tail.slice(-(most - 1 - first)).join("")}`;
}
