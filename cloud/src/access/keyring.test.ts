import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addKey, KeyFileBroken, openKeyring } from "./keyring.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-keys-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the keyring", () => {
  it("makes its file at the first start, for its owner alone, and opens with it ever after", () => {
    const path = join(folder, "data", "secret.key");
    const sealed = openKeyring(path, seededRandom(1)).seal("a purpose", "plt_srv_…");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(openKeyring(path, seededRandom(2)).open("a purpose", sealed)).toBe("plt_srv_…");
  });

  it("opens nothing that was sealed for another purpose, by another key, or changed", () => {
    const keyring = openKeyring(join(folder, "one.key"), seededRandom(1));
    const sealed = keyring.seal("a", "text");
    expect(keyring.open("b", sealed)).toBeUndefined();
    expect(openKeyring(join(folder, "two.key"), seededRandom(2)).open("a", sealed)).toBeUndefined();
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
      expect(keyring.open("a", changed), `changed at ${at}`).toBeUndefined();
    }
    for (const nothing of ["", ".", "x", `${sealed.slice(0, 9)}`]) expect(keyring.open("a", nothing)).toBeUndefined();
  });

  it("seals with the first key and opens with any of the file", () => {
    const old = join(folder, "old.key");
    const sealed = openKeyring(old, seededRandom(1)).seal("a", "text");
    openKeyring(join(folder, "new.key"), seededRandom(2));
    const both = join(folder, "both.key");
    writeFileSync(both, readFileSync(join(folder, "new.key"), "utf8") + readFileSync(old, "utf8"));
    const rotated = openKeyring(both, seededRandom(3));
    expect(rotated.open("a", sealed)).toBe("text");
    expect(rotated.seal("a", "text").slice(0, 8)).toBe(readFileSync(both, "utf8").slice(0, 8));
  });

  it("opens what another node has sealed with a key of the same file that it has not seen yet, and goes on sealing with its own", () => {
    const path = join(folder, "secret.key");
    const slow = openKeyring(path, seededRandom(1));
    addKey(path, seededRandom(2));
    const sealed = openKeyring(path, seededRandom(3)).seal("a", "text");
    expect(slow.open("a", sealed)).toBe("text");
    expect(slow.seal("a", "text").slice(0, 8)).not.toBe(sealed.slice(0, 8));
    writeFileSync(path, "hello\n");
    expect(slow.open("a", sealed)).toBeUndefined();
  });

  it("refuses a file with other contents, and names the line", () => {
    const path = join(folder, "secret.key");
    writeFileSync(path, "hello\n");
    expect(() => openKeyring(path, seededRandom(1))).toThrow(KeyFileBroken);
  });
});
