/** What stands between a board and a hub changes nothing and misses nothing. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, settle, VirtualClock } from "@porchlight/shared/kernel";
import { expect, onTestFinished, test } from "vitest";
import { memoryLinks } from "../../simulator/links/memory-link.ts";
import { readCapture } from "./capture.ts";
import { CaptureFile } from "./capture-file.ts";
import { type Parted, passThrough } from "./pass-through.ts";

function between(onPassed: Parameters<typeof passThrough>[0]["onPassed"]) {
  const [hub, hubEnd] = memoryLinks();
  const [board, boardEnd] = memoryLinks();
  const heard: Record<"hub" | "node", number[]> = { hub: [], node: [] };
  const closed: string[] = [];
  for (const [side, link] of [["hub", hub] as const, ["node", board] as const])
    link.listen(
      (bytes) => heard[side].push(...bytes),
      () => closed.push(side),
    );
  return { hub, board, heard, closed, parted: passThrough({ hub: hubEnd, board: boardEnd, onPassed }) };
}

test("every byte goes on as it is, both ways, and stands in the capture with its sender and its time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-capture-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "capture.ndjson");
  const clock = new VirtualClock();
  const file = CaptureFile.open(path, "a board", clock);
  const { hub, board, heard } = between((from, bytes) => file.add(from, bytes));
  const noise = seededRandom(3).bytes(3000);
  await clock.advance(250);
  await hub.write(noise.subarray(0, 1000));
  await clock.advance(10);
  await board.write(noise.subarray(1000));
  await settle();
  expect([heard.node, heard.hub]).toEqual([[...noise.subarray(0, 1000)], [...noise.subarray(1000)]]);
  // It is there before anybody has closed it: a crash loses nothing.
  const read = readCapture(readFileSync(path, "utf8"));
  expect(read.kind === "ok" && read.capture).toEqual({
    ...{ of: "a board", at: clock.now() - 260 },
    passed: [
      { t: 250, dir: "hub", bytes: Buffer.from(noise.subarray(0, 1000)) },
      { t: 260, dir: "node", bytes: Buffer.from(noise.subarray(1000)) },
    ],
  });
  file[Symbol.dispose]();
  file.add("hub", noise);
});

test.each(["hub", "node"] as const)(
  "when the %s goes away the other side is reported, and who it was",
  async (side) => {
    const { hub, board, closed, parted } = between(() => undefined);
    (side === "hub" ? hub : board).close();
    const { side: gone }: Parted = await parted;
    await settle();
    expect([gone, closed.toSorted()]).toEqual([side, ["hub", "node"]]);
  },
);
