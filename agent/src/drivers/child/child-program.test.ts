import { PassThrough } from "node:stream";
import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { ChildOutput } from "./child-process.ts";
import { childEnvironment } from "./child-program.ts";

test("a child has none of the agent's environment but time zone and language, and reads its own folder only", () => {
  const env = { TZ: "Europe/Berlin", LANG: "de_DE.UTF-8", PORCHLIGHT_TOKEN: "secret", PATH: "/bin" };
  const given = childEnvironment(env, { reads: ["/data/drivers/a b"], heapMb: 64, mayOpenDevices: false });
  expect(given).toEqual({
    TZ: "Europe/Berlin",
    LANG: "de_DE.UTF-8",
    NODE_OPTIONS: '--permission "--allow-fs-read=/data/drivers/a b" --max-old-space-size=64 --max-semi-space-size=1',
  });
  const serial = childEnvironment({}, { reads: ['/a"b'], heapMb: 16, mayOpenDevices: true });
  expect(serial.NODE_OPTIONS).toBe(
    '--permission "--allow-fs-read=/a\\"b" --allow-fs-read=/dev --allow-fs-write=/dev --max-old-space-size=16 --max-semi-space-size=1',
  );
});

test("what a child writes are lines of the log, none of them long, and its last words say why it died", async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  const output = new ChildOutput([stream], (line) => void lines.push(line));
  expect(output.lastWords).toBeUndefined();
  stream.write("first\nsec");
  stream.write(`ond\n\n${"x".repeat(100_000)}`);
  stream.write("y\nFATAL ERROR: Reached heap limit Allocation failed\n#1 0xdead\n");
  stream.end();
  await settle();
  expect(lines.map(({ length }) => length)).toEqual([5, 6, 512, 49, 9]);
  expect(output.lastWords).toBe("it needs more memory than it is allowed");
});
