import { settle } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { argon2Hasher, Passwords, requireStrong } from "./passwords.ts";

describe("passwords", () => {
  it("are kept as argon2id", async () => {
    const passwords = await Passwords.start(argon2Hasher);
    const hashed = await passwords.hash("correct horse battery");
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(hashed, "correct horse battery")).toBe(true);
    expect(await passwords.verify(hashed, "correct horse batterz")).toBe(false);
  });

  it("are checked with the same work where there is nobody", async () => {
    const checked: string[] = [];
    const verify = async (hashed: string) => checked.push(hashed) > 0;
    const passwords = await Passwords.start({ hash: async () => "decoy", verify });
    expect(await passwords.verify(undefined, "nobody's password")).toBe(false);
    expect(checked).toEqual(["decoy"]);
  });

  it("are hashed two at a time, in the order in which they came", async () => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const hash = (password: string) => {
      started.push(password);
      return new Promise<string>((resolve) => ends.push(() => resolve(password)));
    };
    const decoy = Passwords.start({ hash, verify: async () => true });
    ends.shift()?.();
    const passwords = await decoy;
    started.length = 0;
    const all = Promise.all(["a", "b", "c", "d"].map((password) => passwords.hash(password)));
    await settle();
    expect(started).toEqual(["a", "b"]);
    ends.shift()?.();
    await settle();
    expect(started).toEqual(["a", "b", "c"]);
    while (ends.length > 0) {
      ends.shift()?.();
      await settle();
    }
    expect(await all).toEqual(["a", "b", "c", "d"]);
  });

  it("are refused, not queued without end, when a flood of them comes", async () => {
    const decoy = async () => "decoy";
    const passwords = await Passwords.start({ hash: decoy, verify: () => new Promise(() => undefined) });
    for (let count = 0; count < 102; count++) void passwords.verify(undefined, "flood");
    await expect(passwords.verify(undefined, "one more")).rejects.toMatchObject({
      name: "Service Unavailable",
      retryAfter: 2,
    });
  });

  it("are the same however a keyboard composes them", async () => {
    const passwords = await Passwords.start(argon2Hasher);
    expect(await passwords.verify(await passwords.hash("caf\u00e9 au lait"), "cafe\u0301 au lait")).toBe(true);
  });

  it.each(["short", "💡💡💡💡💡", "Jane@Example.com"])("are refused when weak: %s", (password) => {
    expect(() => requireStrong(password, "jane@example.com")).toThrow(
      expect.objectContaining({ name: "Password Too Weak" }),
    );
  });
});
