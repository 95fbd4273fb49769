/** The readers of a run in one process: a stream of everything for each ecosystem. `tell` on stdin has it say what came. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type RawMessage, rawStream } from "../../parts/raw-stream.ts";
import type { ReadersPlan } from "./plan.ts";
import { Tally } from "./tally.ts";

const plan: ReadersPlan = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const tally = new Tally(plan.tokens.length);
const never = new AbortController().signal;

for (const [place, token] of plan.tokens.entries()) {
  // From the first event on: so it is open when it has been answered.
  const messages = rawStream(`${plan.url}/api/events`, token, 0, never);
  const first = await messages.next();
  if (first.done) throw new Error("a stream ended at once");
  follow(place, first.value, messages).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
}
process.stdout.write("ready\n");
createInterface({ input: process.stdin }).on("line", () => process.stdout.write(`${JSON.stringify(tally.came())}\n`));

async function follow(place: number, first: RawMessage, rest: AsyncIterable<RawMessage>): Promise<void> {
  let sequence = Number(first.id);
  for await (const { id, event, data } of rest) {
    if (Number(id) !== sequence + 1) tally.gap();
    sequence = Number(id);
    if (event === "property.changed") tally.add(place, data, Date.now());
  }
  throw new Error("a stream ended");
}
