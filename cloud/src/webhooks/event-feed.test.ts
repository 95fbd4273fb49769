/** The reading of a log that many webhooks share. */
import { expect, it } from "vitest";
import { EventFeed, type ReadsLog } from "./event-feed.ts";

/** A log whose reads end when they are let. */
class SlowLog implements ReadsLog {
  readonly #reads: ((found: Awaited<ReturnType<ReadsLog["read"]>>) => void)[] = [];

  get reads(): number {
    return this.#reads.length;
  }

  read(): ReturnType<ReadsLog["read"]> {
    return new Promise((resolve) => this.#reads.push(resolve));
  }

  newest(): Promise<number> {
    return Promise.resolve(0);
  }

  end(): void {
    for (const resolve of this.#reads.splice(0)) resolve({ kind: "events", events: [] });
  }
}

it("those that have come as far as each other, and know as much, share one read", async () => {
  const log = new SlowLog();
  const feed = new EventFeed(log);
  const both = [feed.read("eco_a", 7, 9), feed.read("eco_a", 7, 9)];
  expect(log.reads).toBe(1);
  log.end();
  await Promise.all(both);
  void feed.read("eco_a", 7, 9);
  expect(log.reads).toBe(1);
});

it("a reader that knows of a newer event shares no read that may have begun before it", () => {
  const log = new SlowLog();
  const feed = new EventFeed(log);
  void feed.read("eco_a", 7, 8);
  void feed.read("eco_a", 7, 9);
  expect(log.reads).toBe(2);
});
