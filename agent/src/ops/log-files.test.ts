import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LogFiles, LogReader, logLine, logPaths } from "./log-files.ts";

let folder = "";
let clock: VirtualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-log-"));
  clock = new VirtualClock();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (msg: string, level = 30) =>
  `${JSON.stringify({ level, time: 1_769_854_830_000, pid: 1, hostname: "h", msg })}\n`;
const written = () => logPaths(folder).map((path) => (existsSync(path) ? readFileSync(path, "utf8") : ""));

describe("the agent's own log", () => {
  test("is gathered for two seconds, and then one write; a warning is written at once with what came before it", async () => {
    using files = new LogFiles(folder, 100_000, clock);
    files.write(line("one"));
    files.write(line("two"));
    await clock.advance(1999);
    expect(written()[0]).toBe("");
    await clock.advance(1);
    expect(written()[0]).toBe(line("one") + line("two"));
    files.write(line("three"));
    files.write(line("four", 40));
    expect(written()[0]).toBe(line("one") + line("two") + line("three") + line("four", 40));
  });

  test("loses nothing at an orderly end, and is its owner's alone", () => {
    const files = new LogFiles(folder, 100_000, clock);
    files.write(line("last"));
    files[Symbol.dispose]();
    expect(written()[0]).toBe(line("last"));
    expect(statSync(logPaths(folder)[0]).mode & 0o077).toBe(0);
    expect(statSync(join(folder, "log")).mode & 0o077).toBe(0);
  });

  test("never grows past its bound, and keeps what is newest", () => {
    const bound = 10_000;
    using files = new LogFiles(folder, bound, clock);
    for (let count = 0; count < 2000; count++) {
      files.write(line(`line ${count}`, 40));
      const bytes = written().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      expect(bytes).toBeLessThanOrEqual(bound);
    }
    const [now, before] = written();
    expect(now).toContain("line 1999");
    const kept = `${before}${now}`.trimEnd().split("\n").length;
    expect(kept).toBeGreaterThan(50);
    // Also by an agent that starts on files that are there.
    using again = new LogFiles(folder, bound, clock);
    for (let count = 0; count < 100; count++) again.write(line(`again ${count}`, 40));
    expect(written().reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(bound);
  });

  test("that cannot be written fails no caller, counts the lost lines, and continues when it can", () => {
    const [path] = logPaths(folder);
    writeFileSync(join(folder, "log"), "in the way");
    using files = new LogFiles(folder, 100_000, clock);
    files.write(line("lost", 50));
    expect(files.lost).toBe(1);
    rmSync(join(folder, "log"));
    files.write(line("kept", 50));
    expect([files.lost, readFileSync(path, "utf8")]).toEqual([1, line("kept", 50)]);
  });
});

describe("a reader of the log", () => {
  const [now, before] = ["agent.log", "agent.log.1"] as const;
  const path = (name: string) => join(folder, "log", name);
  beforeEach(() => mkdirSync(join(folder, "log")));

  test("reads the older file, then the newer, then what comes", () => {
    writeFileSync(path(before), "a\nb\n");
    writeFileSync(path(now), "c\n");
    const reader = new LogReader(folder);
    expect(reader.read()).toEqual(["a", "b", "c"]);
    expect(reader.read()).toEqual([]);
    appendFileSync(path(now), "d\ne");
    expect(reader.read()).toEqual(["d"]);
    appendFileSync(path(now), "e\n");
    expect(reader.read()).toEqual(["ee"]);
  });

  test("misses nothing and repeats nothing when the files change places while it reads", () => {
    using files = new LogFiles(folder, 4000, clock);
    const reader = new LogReader(folder);
    const read: string[] = [];
    const wrote: string[] = [];
    for (let count = 0; count < 300; count++) {
      const text = line(`line ${count}`, 40);
      files.write(text);
      wrote.push(text.trimEnd());
      if (count % 7 === 0) read.push(...reader.read());
    }
    read.push(...reader.read());
    expect(read).toEqual(wrote);
  });

  test("of a folder without a log reads nothing, and a log that may not be read is an error", () => {
    expect(new LogReader(join(folder, "nowhere")).read()).toEqual([]);
    writeFileSync(path(now), "a\n");
    chmodSync(path(now), 0o000);
    // Root may read everything.
    if (process.getuid?.() !== 0) expect(() => new LogReader(folder).read()).toThrow("EACCES");
  });
});

describe("a line of the log for people", () => {
  test("has its time, its level, its words and what it is about", () => {
    const raw = JSON.stringify({
      level: 40,
      time: 1_769_854_830_000,
      pid: 1,
      hostname: "h",
      path: "/dev/x",
      n: 3,
      msg: "the port is gone",
    });
    expect(logLine(raw, "info")).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}warn {3}the port is gone {2}path=\/dev\/x {2}n=3$/,
    );
  });

  test.each([
    ["info", 30, true],
    ["warn", 30, false],
    ["warn", 40, true],
    ["error", 40, false],
    ["error", 60, true],
  ] as const)("from %s on, one of level %d is shown: %s", (least, level, shown) => {
    expect(logLine(line("x", level), least) !== undefined).toBe(shown);
  });

  test("that is none is shown as it is", () => {
    expect(logLine("half a li", "error")).toBe("half a li");
  });
});
