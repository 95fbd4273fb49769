/** `--debug` prints each request without its secrets. */
import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { watched } from "./open.ts";

async function notesOf(headers: Record<string, string>, answered: Record<string, string>): Promise<string> {
  const notes: string[] = [];
  const surroundings = { clock: new VirtualClock(), signal: new AbortController().signal, machine: "de\nsk ü" };
  const fetch = watched(async () => new Response(null, { headers: answered }), surroundings, {
    isDebug: true,
    note: (text) => notes.push(text),
  });
  await fetch("https://porchlight.example/api/token", { method: "GET", headers, body: null });
  return notes.join("\n");
}

test("the kind of a token is shown, and nothing more of any credential", async () => {
  const sent = { authorization: "Bearer plt_srv_abc123", "x-current-password": "hunter2", "x-api-version": "v0" };
  const text = await notesOf(sent, { "set-cookie": "porchlight=crumbs", "x-request-id": "r-1" });
  expect(text).toContain("> authorization: Bearer plt_srv_…");
  expect(text).toContain("> x-api-version: v0");
  expect(text).toContain("< x-request-id: r-1");
  expect(text).toMatch(/> user-agent: porchlight\/[\d.]+ \(desk\)/);
  expect(text).not.toMatch(/abc123|hunter2|crumbs/);
  expect(await notesOf({ authorization: "hunter2" }, {})).not.toContain("hunter2");
});
