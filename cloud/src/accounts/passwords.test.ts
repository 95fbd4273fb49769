import { NamedError, settle } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { argon2Hasher, type PasswordOwner, Passwords } from "./passwords.ts";

describe("passwords", () => {
  it("are kept as argon2id", async () => {
    const passwords = await Passwords.start(argon2Hasher);
    const hashed = await passwords.hash("correct horse battery");
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(hashed, "correct horse battery")).toBe(true);
    expect(await passwords.verify(hashed, "correct horse batterz")).toBe(false);
  });

  it("are checked with the same work for unknown addresses", async () => {
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

  const ADA = { email: "jane@example.com", name: "Ada Lovelace" };
  const weakness = async (password: string, owner: PasswordOwner = ADA): Promise<string | undefined> => {
    const passwords = await Passwords.start({ hash: async () => "decoy", verify: async () => true });
    try {
      passwords.requireStrong(password, owner);
    } catch (error) {
      expect(error).toMatchObject({ name: "Password Too Weak", status: 400 });
      return error instanceof NamedError ? error.message : undefined;
    }
    return undefined;
  };

  it.each([
    ["short", "at least 10"],
    ["💡💡💡💡💡", "at least 10"],
    ["abcabcabcabc", "at least 4 different"],
    ["Jane@Example.com", "e-mail address or name"],
    ["jane@example.com1", "e-mail address or name"],
    ["Example.com12", "e-mail address or name"],
    ["2024-example", "e-mail address or name"],
    ["lovelace1852", "e-mail address or name"],
    ["Ada Lovelace!", "e-mail address or name"],
    ["qwertyuiop", "too common"],
    ["1234567890", "too common"],
    ["Christopher", "too common"],
    ["password123", "too common"],
    ["Sunshine2024!", "too common"],
    ["P@ssw0rd2024", "too common"],
    ["!!Superman!!", "too common"],
    ["dragondragon", "too common"],
    ["Letmein1Letmein1", "too common"],
    ["abcdabcdabcd", "too common"],
    ["0123456789", "too common"],
    ["zyxwvutsrq", "too common"],
  ])("are refused when weak, with what must be changed: %s", async (password = "", words = "") => {
    expect(await weakness(password)).toContain(words);
  });

  it.each([
    "correct horse battery",
    "a lamp under a gable",
    "kitchen window 1987",
    "7391845612dragon",
    "Jane has a green bicycle",
    "x9#Vt2!mQz",
    "пароль от подъезда",
  ])("are good when no attacker would try them soon: %s", async (password) => {
    expect(await weakness(password)).toBeUndefined();
    expect(await weakness(password, { email: "a@b.c", name: null })).toBeUndefined();
  });
});
