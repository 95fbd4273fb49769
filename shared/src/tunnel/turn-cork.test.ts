import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { corkForTurn } from "./turn-cork.ts";

/** Counts how often the system is called. */
class Line extends PassThrough {
  writes = 0;

  override _write(chunk: Buffer, encoding: BufferEncoding, done: () => void): void {
    this.writes += 1;
    super._write(chunk, encoding, done);
  }

  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: () => void): void {
    this.writes += 1;
    for (const { chunk } of chunks) this.push(chunk);
    done();
  }
}

describe("what is sent in one turn of the loop", () => {
  test("leaves together, in its order", async () => {
    const line = new Line();
    for (const text of ["a", "b", "c"]) {
      corkForTurn(line);
      line.write(text);
    }
    expect(line.writes).toBe(0);
    await turn();
    expect(line.writes).toBe(1);
    expect(String(line.read())).toBe("abc");
  });

  test("does not wait for what is sent in the next", async () => {
    const line = new Line();
    for (const text of ["a", "b"]) {
      corkForTurn(line);
      line.write(text);
      await turn();
      expect(String(line.read())).toBe(text);
    }
  });

  test("is dropped in peace when the line ends first", async () => {
    const line = new Line();
    corkForTurn(line);
    line.write("a");
    line.destroy();
    await turn();
    expect(line.destroyed).toBe(true);
  });
});
