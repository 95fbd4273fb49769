/** A worker and its supervisor understand each other, and a supervisor that says nothing keeps nobody from an answer. */
import { silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { WorkerLink } from "./worker-link.ts";
import type { FromWorker } from "./worker-messages.ts";

const OWN = { contentType: "text/plain", text: async () => "# HELP n N\n# TYPE n gauge\nn 7\n" };

function linked() {
  const said: FromWorker[] = [];
  let hear: (message: unknown) => void = () => undefined;
  const clock = new VirtualClock();
  const channel = {
    tell: (message: FromWorker) => void said.push(message),
    hear: (listener: (message: unknown) => void) => {
      hear = listener;
    },
  };
  const link = WorkerLink.start({ number: 2, channel, clock, log: silentLog });
  return { link, clock, said, hear: (message: unknown) => hear(message) };
}

test("it says that it listens, and ends as it is told", async () => {
  const { link, said, hear } = linked();
  link.listening("http://127.0.0.1:1");
  expect(said).toEqual([{ kind: "listening", url: "http://127.0.0.1:1" }]);
  hear({ kind: "drain" });
  await link.drain;
});

test("its metrics are those of all, as the supervisor gathers them", async () => {
  const { link, said, hear } = linked();
  const page = link.gathered(OWN).text();
  expect(said).toEqual([{ kind: "gather", id: 1 }]);
  hear({ kind: "gathered", id: 1, text: "all" });
  expect(await page).toBe("all");
});

test("it tells its own when it is asked", async () => {
  const { link, said, hear } = linked();
  link.gathered(OWN);
  hear({ kind: "metrics?", id: 9 });
  await Promise.resolve();
  await Promise.resolve();
  expect(said).toEqual([{ kind: "metrics", id: 9, text: await OWN.text() }]);
});

test("when the supervisor does not answer, its own are told alone, as those of this worker", async () => {
  const { link, clock } = linked();
  const page = link.gathered(OWN).text();
  await clock.advance(4_000);
  expect(await page).toBe('# HELP n N\n# TYPE n gauge\nn{worker="2"} 7\n');
});

test("what is no message of a supervisor is ignored", () => {
  const { hear } = linked();
  expect(() => hear({ kind: "end" })).not.toThrow();
});
