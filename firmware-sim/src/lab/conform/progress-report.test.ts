import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Progress } from "./terminal-report.ts";

const RULE = { id: "S1", looksAt: "when HELLO comes", takes: "80 s", number: 12, of: 57 };

test("what is tried stands on the last line with its seconds, and makes room for each line of the report", async () => {
  const clock = new VirtualClock();
  const written: string[] = [];
  const progress = new Progress({ clock, write: (text) => void written.push(text), columns: 80 });
  progress.clear();
  progress.begin(RULE);
  await clock.advance(2500);
  progress.clear();
  await clock.advance(2500);
  progress.begin({ ...RULE, takes: undefined });
  progress[Symbol.dispose]();
  await clock.advance(2500);
  expect(written.map((text) => text.replace("\r\u001b[2K", "<"))).toEqual([
    "<12 of 57  S1  when HELLO comes (takes 80 s)",
    "<12 of 57  S1  when HELLO comes (takes 80 s): 1 s",
    "<12 of 57  S1  when HELLO comes (takes 80 s): 2 s",
    "<",
    "<12 of 57  S1  when HELLO comes",
    "<",
  ]);
});

test("a line never wraps", () => {
  const written: string[] = [];
  using progress = new Progress({ clock: new VirtualClock(), write: (text) => void written.push(text), columns: 20 });
  progress.begin(RULE);
  expect(written).toEqual(["\r\u001b[2K12 of 57  S1  when "]);
});
