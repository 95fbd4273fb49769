import { describe, expect, it } from "vitest";
import { type ArchiveFile, zipped } from "./contents.ts";
import { allOf, unzipped } from "./zip.fixture.ts";

/** Wall clock, ms: in November 2026. */
const AT = 1_795_694_400_000;

async function* lines(count: number, seen: (line: number) => void = () => undefined): AsyncGenerator<string> {
  for (let line = 0; line < count; line++) {
    seen(line);
    yield `${JSON.stringify({ line, text: "grüße".repeat(line % 7) })}\n`;
  }
}

describe("a zip archive", () => {
  it("has every file as it was written, in order, also an empty one", async () => {
    const files: ArchiveFile[] = [
      { name: "README.txt", read: () => ["Your data\n", "grüße\n"] },
      { name: "empty.ndjson", read: () => [] },
      { name: "long.ndjson", read: () => lines(20_000) },
    ];
    const archive = Buffer.concat(await allOf(zipped(files, AT)));
    const read = unzipped(archive);
    expect([...read.keys()]).toEqual(["README.txt", "empty.ndjson", "long.ndjson"]);
    expect(read.get("README.txt")).toBe("Your data\ngrüße\n");
    expect(read.get("empty.ndjson")).toBe("");
    expect(read.get("long.ndjson")).toBe((await allOf(lines(20_000))).join(""));
    expect(archive.length).toBeLessThan(300_000);
  });

  it("is read only as fast as its bytes are consumed, and no further once the consumer has gone", async () => {
    let newest = 0;
    let isOtherRead = false;
    const endless = lines(Number.MAX_SAFE_INTEGER, (line) => {
      newest = line;
    });
    const other = () => {
      isOtherRead = true;
      return ["text"];
    };
    const archive = zipped(
      [
        { name: "endless.ndjson", read: () => endless },
        { name: "other.ndjson", read: other },
      ],
      AT,
    );
    await archive.next();
    await archive.next();
    expect(newest).toBeLessThan(200_000);
    expect(isOtherRead).toBe(false);
    await archive.return(undefined);
    const last = newest;
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(newest).toBe(last);
  });

  it("fails when a file cannot be read to its end, however far it has come", async () => {
    const broken = async function* () {
      yield* lines(20_000);
      throw new Error("the database is away");
    };
    const files = [
      { name: "whole.ndjson", read: () => lines(10) },
      { name: "broken.ndjson", read: broken },
    ];
    await expect(allOf(zipped(files, AT))).rejects.toThrow("the database is away");
  });
});
