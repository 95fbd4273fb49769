/** One side of an attempt as text: headers, an empty line, the body; JSON is laid out so that it can be read. */

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function messageText({ headers, body }: Message): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join("\n")}\n\n${body === "" ? "(no body)" : laidOut(body)}`;
}

/** A body that is no JSON, or only its beginning, stands as it came. */
function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
