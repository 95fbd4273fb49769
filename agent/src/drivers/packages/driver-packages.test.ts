import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addPackage, installedPackages, openPackage, removePackage, unusablePackages } from "./driver-packages.ts";
import { tarballOf } from "./tarball.fixture.ts";

const manifest = { name: "porchlight-driver-acme", version: "1.0.0", porchlight: { api: 1, entry: "driver.js" } };
const packed = (given: object = {}, code = "code") =>
  tarballOf(
    { path: "package.json", content: JSON.stringify({ ...manifest, ...given }) },
    { path: "driver.js", content: code },
    { path: "LICENSE", content: "free" },
    { path: "other.js", content: "never run" },
    { path: "README.md", content: "read me" },
  );

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "porchlight-packages-"));
});
afterEach(() => rmSync(data, { recursive: true }));
const add = (archive: Buffer) => addPackage(data, openPackage(archive));

describe("a package that is added", () => {
  test("leaves its manifest, its one file and its licence, for the hub's eyes only", () => {
    add(packed());
    const folder = join(data, "drivers", "acme");
    expect(readdirSync(folder).sort()).toEqual([".integrity", "LICENSE", "driver.js", "package.json"]);
    expect(statSync(join(folder, "driver.js")).mode & 0o777).toBe(0o600);
    const [installed] = installedPackages(data);
    expect(installed).toMatchObject({ name: "porchlight-driver-acme", shortName: "acme", version: "1.0.0", folder });
    expect(installed?.integrity).toMatch(/^sha512-.{86}==$/);
  });

  test("takes the place of another version, whole", () => {
    add(packed());
    add(packed({ version: "1.1.0" }, "new code"));
    expect(installedPackages(data).map(({ version }) => version)).toEqual(["1.1.0"]);
    expect(readFileSync(join(data, "drivers", "acme", "driver.js"), "utf8")).toBe("new code");
    expect(readdirSync(join(data, "drivers"))).toEqual(["acme"]);
  });

  test("never replaces a package of another name", () => {
    add(packed());
    expect(() => add(packed({ name: "@who/porchlight-driver-acme" }))).toThrow("remove it first");
  });

  test("is what was there before when the machine stops between the two steps", () => {
    add(packed());
    const folder = join(data, "drivers");
    renameSync(join(folder, "acme"), join(folder, ".old-acme"));
    mkdirSync(join(folder, ".new-acme"));
    expect(installedPackages(data).map(({ shortName }) => shortName)).toEqual(["acme"]);
  });

  test("is gone when it is removed, and nothing else is", () => {
    add(packed());
    add(packed({ name: "porchlight-driver-other" }));
    expect([removePackage(data, "acme"), removePackage(data, "acme"), removePackage(data, "../drivers/other")]).toEqual(
      [true, false, false],
    );
    expect(existsSync(join(data, "drivers", "acme"))).toBe(false);
    expect(installedPackages(data).map(({ shortName }) => shortName)).toEqual(["other"]);
  });
});

describe("a package that is offered", () => {
  test("is refused when it is not the file that was expected", () => {
    const { integrity } = openPackage(packed());
    expect(openPackage(packed(), integrity).integrity).toBe(integrity);
    expect(() => openPackage(packed({}, "code!"), integrity)).toThrow("not the file that was expected");
    expect(() => openPackage(packed(), "sha512-short")).toThrow("not the file that was expected");
  });

  test.for([
    [tarballOf({ path: "driver.js" }), "it has no package.json"],
    [tarballOf({ path: "package.json", content: JSON.stringify(manifest) }), "it has no driver.js"],
    [packed({ porchlight: { ...manifest.porchlight, settings: { type: "colour" } } }), "not a valid JSON Schema"],
  ] as const)("is refused when what it needs is missing (%#)", ([archive, why]) => {
    expect(() => openPackage(archive)).toThrow(why);
  });
});

test("a package that an older or newer agent has added is named with what is wrong, and the others run", () => {
  add(packed());
  add(packed({ name: "porchlight-driver-next" }));
  const next = { ...manifest, name: "porchlight-driver-next", porchlight: { api: 2, entry: "driver.js" } };
  writeFileSync(join(data, "drivers", "next", "package.json"), JSON.stringify(next));
  expect(installedPackages(data).map(({ shortName }) => shortName)).toEqual(["acme"]);
  expect(unusablePackages(data)).toEqual([{ shortName: "next", why: expect.stringContaining("must be 1") }]);
});
