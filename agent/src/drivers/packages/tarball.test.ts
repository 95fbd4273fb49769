import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { tarballOf, tarOf } from "./tarball.fixture.ts";
import { readTarball } from "./tarball.ts";

test("the files of a package are read by their paths in it", () => {
  const long = "x".repeat(1000);
  const archive = tarballOf(
    { path: "package.json", content: "{}" },
    { path: "dist/", type: "5" },
    { path: "dist/d.js", content: long },
  );
  expect([...readTarball(archive)].map(([path, content]) => [path, content.toString()])).toEqual([
    ["package.json", "{}"],
    ["dist/d.js", long],
  ]);
});

test.for([
  ["a path out of the package", tarballOf({ path: "../../etc/passwd", content: "x" }), "a name that is not allowed"],
  ["a path up inside of it", tarballOf({ path: "dist/../../x", content: "x" }), "a name that is not allowed"],
  ["an absolute path", gzipSync(tarOf({ path: "/etc/passwd", content: "x" })), "a name that is not allowed"],
  ["a hidden file", tarballOf({ path: ".integrity", content: "x" }), "a name that is not allowed"],
  ["no folder around it", gzipSync(tarOf({ path: "package.json", content: "{}" })), "a name that is not allowed"],
  ["a control character in a name", tarballOf({ path: "a\u0007b", content: "x" }), "a name that is not allowed"],
  ["a symbolic link", tarballOf({ path: "d.js", type: "2" }), "not a plain file"],
  ["a hard link", tarballOf({ path: "d.js", type: "1" }), "not a plain file"],
  ["a device", tarballOf({ path: "d.js", type: "3" }), "not a plain file"],
  ["a long name of another kind", tarballOf({ path: "d.js", type: "x" }), "not a plain file"],
  ["one file twice", tarballOf({ path: "d.js" }, { path: "d.js" }), "it has d.js twice"],
  [
    "a hundred and one files",
    tarballOf(...Array.from({ length: 101 }, (_, n) => ({ path: `f${n}` }))),
    "more than 100 files",
  ],
  [
    "no end to a file",
    gzipSync(tarOf({ path: "package/d.js", content: "x".repeat(600) }).subarray(0, 700)),
    "it is incomplete",
  ],
  ["no archive at all", gzipSync(Buffer.alloc(2048, 7)), "it is no archive"],
  ["no compression", tarOf({ path: "package/d.js" }), "it is not compressed by gzip"],
  ["seventeen megabytes in a few kilobytes", gzipSync(Buffer.alloc(17 * 1024 * 1024)), "larger than 16 MB"],
  ["nine megabytes", Buffer.alloc(9 * 1024 * 1024), "it is larger than 8 MB"],
] as const)("an archive with %s is refused", ([_, archive, why]) => {
  expect(() => readTarball(archive)).toThrow(why);
});

test("a change of any single byte is detected, or changes no more than the content of a file", () => {
  const tar = tarOf({ path: "package/package.json", content: "{}" }, { path: "package/d.js", content: "code" });
  for (let at = 0; at < tar.byteLength; at++) {
    const damaged = Buffer.from(tar);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 0x15, at);
    let files: ReadonlyMap<string, Buffer>;
    try {
      files = readTarball(gzipSync(damaged));
    } catch {
      continue;
    }
    for (const path of files.keys()) expect(["package.json", "d.js"]).toContain(path);
  }
});
