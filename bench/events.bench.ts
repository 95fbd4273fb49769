/** A thousand events a second from 200 hubs to 20 streams and 50 webhooks, for two minutes (ten with `--long`): what comes, and how late. */
import { FULL, runEvents, total } from "../test/parts/event-rate.ts";
import { rounds } from "../test/parts/rounds.ts";
import { print, STORES } from "./frame.ts";

const LIMIT_MS = 1_000;
const shape = { ...FULL, seconds: rounds(120, 600) };

for (const start of STORES) {
  await using store = await start();
  const { sent, streams, webhooks, rows, commits, cloudCore } = await runEvents(shape, store.database);
  for (const [what, came] of [
    ["stream", streams],
    ["webhook", webhooks],
  ] as const)
    print(`device to ${what}, p99, ${store.name}, ${sent} events in ${shape.seconds} s, ms`, {
      measured: came.p99,
      limit: LIMIT_MS,
      ratio: came.p99 / LIMIT_MS,
      goal: "< 1 s, none lost, none twice",
      p50: came.p50,
      most: came.max,
      lost: sent - total(came) + came.gaps,
      repeated: came.repeats,
      "rows a delivery": rows.rows / total(webhooks),
      "events a commit": sent / commits,
      "cloud, % of a core": 100 * cloudCore,
    });
}
