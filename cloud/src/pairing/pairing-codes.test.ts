import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { PairingCodeLimiter } from "./code-log-in-approvals.ts";
import { keyFingerprint, makeDeviceCode, makeUserCode, readUserCode } from "./code-rows.ts";

describe("a code for people", () => {
  it("has eight of twenty letters, each as likely as any other", () => {
    const random = seededRandom(7);
    const counts = new Map<string, number>();
    for (let n = 0; n < 10_000; n++) {
      const code = makeUserCode(random);
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
      for (const letter of code.replace("-", "")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(counts.size).toBe(20);
    // 4,000 of each; five standard deviations are some 310.
    for (const count of counts.values()) expect(Math.abs(count - 4_000)).toBeLessThan(310);
  });

  it.each(["WDJB-MJHT", "wdjbmjht", " wdjb mjht ", "W.D.J.B:M.J.H.T"])("is read as %j", (text) => {
    expect(readUserCode(text)).toBe("WDJB-MJHT");
  });

  it.each(["", "WDJB-MJH", "WDJB-MJHTT", "ADJB-MJHT", "WDJB-MJH1", "-".repeat(1000)])("%j is none", (text) => {
    expect(() => readUserCode(text)).toThrow("No pairing in progress has this code.");
  });
});

describe("a hub's own code", () => {
  it("is no text that a hub signs for anything else", () => {
    expect(makeDeviceCode(seededRandom(1))).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});

describe("a fingerprint", () => {
  it("is that of the key's SPKI DER, as OpenSSL and base64 give it", () => {
    expect(keyFingerprint("MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=")).toBe(
      "SHA256:oekVYFTgT6yJmunydRMs3Ael28TqLCrTof/G4NJTaB8",
    );
  });
});

/** Of a process that is the only one: nothing is counted there. */
const LONE = { dialect: "sqlite", writeService: () => Promise.reject(new Error("nothing is counted in it")) } as const;

describe("wrong codes", () => {
  it("are refused after so many in a minute, those of another account are not", async () => {
    const clock = new VirtualClock();
    const codeLimiter = new PairingCodeLimiter({ store: LONE, clock }, 3);
    const right = await codeLimiter.begin("a");
    for (const _ of [1, 2]) await codeLimiter.begin("a");
    await expect(codeLimiter.begin("a")).rejects.toThrow("Try again in 60 s");
    await codeLimiter.begin("b");
    await right();
    await codeLimiter.begin("a");
    await expect(codeLimiter.begin("a")).rejects.toThrow("Too many wrong codes");
    await clock.advance(60_000);
    await codeLimiter.begin("a");
  });

  it("are not counted where nothing is", async () => {
    const codeLimiter = new PairingCodeLimiter({ store: LONE, clock: new VirtualClock() }, "off");
    for (let n = 0; n < 100; n++) await codeLimiter.begin("a");
  });
});
