/** Events brought to a server nearby: signed as the service signs them, each once. */
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PorchlightEvent, verifyWebhook } from "@porchlight/sdk";
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Forwarder, listenSecret, type Message, postNearby, secretPath } from "./forwarder.ts";

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
  post: (url: string, message: Message, signal: AbortSignal) => Promise<number>,
  signal = new AbortController().signal,
) {
  const secret = listenSecret(join(folder, "secret"), seededRandom(1));
  return {
    secret,
    forward: () => new Forwarder({ url: "http://127.0.0.1:3000/hook", secret, clock, post, signal }).forward(EVENT),
  };
}

describe("a forwarded event", () => {
  it("is one that a receiver of webhooks takes for the service's", async () => {
    let sent: Message = { headers: {}, body: "" };
    const { secret, forward } = forwarder(async (_, message) => {
      sent = message;
      return 204;
    });
    expect(await forward()).toEqual({ responseStatus: 204, durationMs: 0 });
    const delivery = { headers: new Headers(sent.headers), body: sent.body, secret };
    expect(await verifyWebhook(delivery, clock)).toEqual(EVENT);
    await expect(verifyWebhook({ ...delivery, body: `${delivery.body} ` }, clock)).rejects.toThrow("No signature");
  });

  it("that no server accepts is reported with the reason, and not sent again", async () => {
    let tries = 0;
    const { forward } = forwarder(async () => {
      tries += 1;
      throw Object.assign(new Error(), { code: "ECONNREFUSED" });
    });
    expect(await forward()).toEqual({ error: "ECONNREFUSED", durationMs: 0 });
    expect(tries).toBe(1);
  });

  it("that is not answered in 15 s is let go", async () => {
    const { forward } = forwarder(
      (_, __, signal) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
    );
    const forwarded = forward();
    await clock.advance(15_000);
    expect(await forwarded).toEqual({ error: "no answer within 15 s", durationMs: 15_000 });
  });

  it("ends with the session", async () => {
    const end = new AbortController();
    const hangs = (_: string, __: Message, signal: AbortSignal) =>
      new Promise<number>((_, reject) => signal.addEventListener("abort", reject));
    const forwarded = forwarder(hangs, end.signal).forward();
    end.abort(new Error("Ctrl-C"));
    await expect(forwarded).rejects.toThrow("Ctrl-C");
  });
});

describe("a server nearby", () => {
  const EARLY = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n";
  const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
  const taken = (status: number) => `HTTP/1.1 ${status} Said\r\nlocation: /there\r\ncontent-length: 0\r\n\r\n`;

  /** Posts to a server that says exactly that. */
  async function post(answer: string): Promise<number> {
    const server = createServer((socket) => socket.on("error", () => undefined).once("data", () => socket.end(answer)));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server listens on no port");
    const message = { headers: { "content-type": "application/json" }, body: "{}" };
    try {
      return await postNearby(`http://127.0.0.1:${address.port}/hook`, message, new AbortController().signal);
    } finally {
      server.close();
    }
  }

  it.each([
    ["at once", ""],
    ["after 100 Continue", CONTINUE],
    ["after 103 Early Hints", EARLY],
    ["after several interim responses", CONTINUE + EARLY + CONTINUE],
  ])("that answers %s has answered", async (_, interim) => {
    expect(await post(interim + taken(200))).toBe(200);
  });

  it("that redirects is not followed", async () => {
    expect(await post(taken(302))).toBe(302);
  });

  it("that sends nothing but interim responses has not answered", async () => {
    await expect(post(CONTINUE)).rejects.toThrow("socket hang up");
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

  it("that is damaged is named, and not replaced silently", () => {
    const path = join(folder, "secret");
    writeFileSync(path, "whsec_");
    expect(() => listenSecret(path, seededRandom(1))).toThrow("contains no secret");
  });
});
