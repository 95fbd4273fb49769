/** Formats one side of an attempt as text: headers, an empty line, and the body; JSON is indented. */

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function messageText({ headers, body }: Message): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join("\n")}\n\n${body === "" ? "(no body)" : laidOut(body)}`;
}

/** An incomplete or non-JSON body stays unchanged. */
function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
