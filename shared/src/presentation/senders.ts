/** Names of the sender of an action for sentences: as a subject, and inside a sentence. */

/** The sender of a command, as the API's `why` reports it. */
export interface Sender {
  readonly kind: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly isDeleted?: true | undefined;
  readonly tokenId?: string | undefined;
  readonly address?: string | undefined;
  /** The user agent of a log-in. */
  readonly userAgent?: string | undefined;
}

const KINDS: Readonly<Record<string, string>> = { account: "the account", server: "the server", user: "the user" };

/** For example `the user Anna's phone`, `the account`, `a token that is not kept any more`; undefined when there is no sender. */
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

/** The sender as the beginning of a sentence, with the address that the request came from. */
export function senderSubject(sender: Sender | undefined, otherwise: string): string {
  const words = senderWords(sender);
  const text = words === undefined ? otherwise : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return sender?.address === undefined ? text : `${text} (from ${sender.address})`;
}

/** In this order because user agents contain each other's names: Edge also claims Chrome, and Chrome claims Safari. */
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

/** Browser and system of a user agent: "Firefox 145 on Linux". Any other user agent is returned as it is, shortened when it is long. */
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

/** Maximum length of a name or value in a sentence, characters. */
const MOST = 100;
/** Share of the kept characters that come from the beginning; the rest come from the end, because similar names often differ there. */
const BEGINNING = 0.6;

export function shortened(text: string, most = MOST): string {
  if (text.length <= most) return text;
  // Cut by whole code points, and split only the two ends of a long text.
  const [head, tail] = [[...text.slice(0, 2 * most)], [...text.slice(-2 * most)]];
  const first = Math.ceil((most - 1) * BEGINNING);
  return `${head.slice(0, first).join("")}…${tail.slice(-(most - 1 - first)).join("")}`;
}
