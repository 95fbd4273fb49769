/** What of a user agent tells a person anything. */

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
