/** An event stream over the network as its bytes come, without anything of the SDK: an event that is sent twice shows here. */

export interface RawMessage {
  readonly id: string | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  readonly data: any;
}

/**
 * One connection's messages, until it ends.
 * @throws what breaks it, or the signal's reason
 */
export async function* rawStream(
  url: string,
  token: string,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<RawMessage, void, undefined> {
  const headers = { authorization: `Bearer ${token}`, ...(after !== undefined && { "last-event-id": String(after) }) };
  const response = await fetch(url, { headers, signal });
  if (response.status !== 200 || !response.body) throw new Error(`the stream is refused: ${response.status}`);
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) if (!block.startsWith(":")) yield messageOf(block);
  }
}

function messageOf(block: string): RawMessage {
  const field = (name: string) =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return { id: field("id"), event: field("event") ?? "message", data: JSON.parse(field("data") ?? "null") };
}
