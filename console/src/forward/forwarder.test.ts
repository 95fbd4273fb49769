/** Events brought to a server nearby: signed as the service signs them, each once. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PorchlightEvent, verifyWebhook } from "@porchlight/sdk";
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Forwarder } from "./forwarder.ts";
import { listenSecret, secretPath } from "./secret.ts";

const clock = new VirtualClock();
const EVENT: PorchlightEvent = {
  ...{ id: "evt_1", sequence: 1, type: "webhook.test", createdAt: "2026-11-21 20:00:07Z", ecosystemId: "eco_1" },
  data: { room: "Küche" },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-secret-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function forwarder(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  signal = new AbortController().signal,
) {
  const secret = listenSecret(join(folder, "secret"), seededRandom(1));
  return {
    secret,
    forward: () => new Forwarder({ url: "http://127.0.0.1:3000/hook", secret, clock, fetch, signal }).forward(EVENT),
  };
}

describe("a forwarded event", () => {
  it("is one that a receiver of webhooks takes for the service's", async () => {
    let sent: RequestInit = {};
    const { secret, forward } = forwarder(async (_, init) => {
      sent = init;
      return new Response(null, { status: 204 });
    });
    expect(await forward()).toEqual({ responseStatus: 204, durationMs: 0 });
    const delivery = { headers: new Headers(sent.headers), body: String(sent.body), secret };
    expect(await verifyWebhook(delivery, clock)).toEqual(EVENT);
    await expect(verifyWebhook({ ...delivery, body: `${delivery.body} ` }, clock)).rejects.toThrow("No signature");
    expect(sent).toMatchObject({ method: "POST", redirect: "manual" });
  });

  it("that nobody takes is told with the reason, and not sent again", async () => {
    let tries = 0;
    const { forward } = forwarder(async () => {
      tries += 1;
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) });
    });
    expect(await forward()).toEqual({ error: "ECONNREFUSED", durationMs: 0 });
    expect(tries).toBe(1);
  });

  it("that is not answered in 15 s is let go", async () => {
    const { forward } = forwarder(
      (_, { signal }) => new Promise((_, reject) => signal?.addEventListener("abort", reject)),
    );
    const forwarded = forward();
    await clock.advance(15_000);
    expect(await forwarded).toEqual({ error: "no answer within 15 s", durationMs: 15_000 });
  });

  it("ends with the session", async () => {
    const end = new AbortController();
    const hangs = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => signal?.addEventListener("abort", reject));
    const forwarded = forwarder(hangs, end.signal).forward();
    end.abort(new Error("Ctrl-C"));
    await expect(forwarded).rejects.toThrow("Ctrl-C");
  });
});

describe("the secret", () => {
  it("is made once, for its owner alone, and the same ever after", () => {
    const path = secretPath(join(folder, "settings.json"));
    const made = listenSecret(path, seededRandom(1));
    expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(listenSecret(path, seededRandom(2))).toBe(made);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("that somebody has broken is named, and not replaced in silence", () => {
    const path = join(folder, "secret");
    writeFileSync(path, "whsec_");
    expect(() => listenSecret(path, seededRandom(1))).toThrow("contains no secret");
  });
});
