import { settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Overloaded } from "../commands/index.ts";
import { on } from "../state/state.fixture.ts";
import { Incoming, type IncomingDeps } from "./incoming.ts";
import { OPEN_LIMITS, OpenRequests } from "./open-requests.ts";

/** A connection to a hub whose devices never answer, and whose refusals are written when the test says so. */
function flooded(refuse: IncomingDeps["commands"]["refuse"]) {
  const calls: string[] = [];
  const incoming = new Incoming({
    ...{ clock: new VirtualClock(), log: silentLog, open: new OpenRequests() },
    commands: { command: () => new Promise(() => undefined), read: () => new Promise(() => undefined), refuse },
    socket: { pause: () => void calls.push("pause"), resume: () => void calls.push("resume") },
    askDrivers: async () => ({ drivers: [] }),
    scenes: { takeScenes: async () => [], takeScene: async () => undefined },
    mayTouch: () => true,
    malformed: () => void calls.push("malformed"),
    refused: () => undefined,
    overloaded: () => void calls.push("overloaded"),
  });
  let id = 0;
  const send = (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      id += 1;
      void incoming.request("command", { at: 0, deadline: 10_000, id: `cmd_${id}`, ...on(true) }, id, 0, 200);
    }
  };
  send(OPEN_LIMITS.count);
  return { calls, send };
}

test("while many refusals wait for the journal, the socket is not read", async () => {
  const written: (() => void)[] = [];
  const { calls, send } = flooded(
    ({ id: command, device, service, index, property, value: requested }) =>
      new Promise((resolve) => {
        const target = { device, service, index, property };
        const end = { command, ...target, requested, outcome: "not_applied", observedAt: 0 } as const;
        written.push(() => resolve({ kind: "result", n: 1, ...end }));
      }),
  );
  send(255);
  expect(calls).toEqual([]);
  send(1);
  expect(calls).toEqual(["pause"]);
  for (const write of written.slice(0, 127)) write();
  await settle();
  expect(calls).toEqual(["pause"]);
  for (const write of written.slice(127)) write();
  await settle();
  expect(calls).toEqual(["pause", "resume"]);
});

test("a command that can neither be carried out nor refused ends the tunnel as overloaded, unanswered", async () => {
  const { calls, send } = flooded(() => Promise.reject(new Overloaded()));
  send(1);
  await settle();
  expect(calls).toEqual(["overloaded"]);
});
