import { silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { ServiceManager } from "./service-manager.ts";

const PID = 77;
const MINUTE = { WATCHDOG_USEC: "60000000" };

function beside(env: Readonly<Record<string, string>>) {
  const clock = new VirtualClock();
  const sent: string[] = [];
  const warned: string[] = [];
  const now = {
    stuck: undefined as string | undefined,
    summary: "online, 2 of 2 devices live",
    fails: false,
  };
  const start = () =>
    ServiceManager.start({
      clock,
      env,
      log: {
        ...silentLog,
        warn: (_fields, message) => warned.push(message),
        error: (_fields, message) => warned.push(message),
      },
      pid: PID,
      notify: async (words) => {
        if (now.fails) throw new Error("spawn systemd-notify ENOENT");
        sent.push(words.join(" "));
      },
      stuck: () => now.stuck,
      summary: () => now.summary,
    });
  return { clock, sent, warned, now, start };
}
const NOTIFY_SOCKET = "/run/systemd/notify";

describe("the service manager", () => {
  test("is notified that the agent is ready, then three times in its interval that it is alive, and at last that it stops", async () => {
    const { clock, sent, start } = beside({ NOTIFY_SOCKET, ...MINUTE });
    const manager = await start();
    expect(sent.splice(0)).toEqual(["READY=1 STATUS=online, 2 of 2 devices live"]);
    await clock.advance(60_000);
    expect(sent.splice(0)).toEqual(["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]);
    await manager[Symbol.asyncDispose]();
    await clock.advance(60_000);
    expect(sent).toEqual(["STOPPING=1"]);
  });

  test("hears what the agent is doing when that has changed", async () => {
    const { clock, sent, now, start } = beside({ NOTIFY_SOCKET, ...MINUTE });
    await using _manager = await start();
    now.summary = "waiting (retry), 2 of 2 devices live";
    await clock.advance(40_000);
    expect(sent.slice(1)).toEqual(["WATCHDOG=1 STATUS=waiting (retry), 2 of 2 devices live", "WATCHDOG=1"]);
  });

  test("hears nothing from an agent that is stuck, and hears it again when it goes on", async () => {
    const { clock, sent, warned, now, start } = beside({ NOTIFY_SOCKET, ...MINUTE });
    await using _manager = await start();
    sent.length = 0;
    now.stuck = "the tunnel is connecting";
    await clock.advance(60_000);
    expect(sent).toEqual([]);
    expect(warned[0]).toBe("the agent is stuck: the service manager gets no sign of life");
    now.stuck = undefined;
    await clock.advance(20_000);
    expect(sent).toEqual(["WATCHDOG=1"]);
  });

  test("that does not run is not notified", async () => {
    const { clock, sent, start } = beside(MINUTE);
    await using _manager = await start();
    await clock.advance(60_000);
    expect(sent).toEqual([]);
  });

  test.each([[{}], [{ ...MINUTE, WATCHDOG_PID: "78" }], [{ WATCHDOG_USEC: "0" }], [{ WATCHDOG_USEC: "soon" }]])(
    "that waits for no sign of this process gets none (%j)",
    async (env) => {
      const { clock, sent, start } = beside({ NOTIFY_SOCKET, ...env });
      await using _manager = await start();
      await clock.advance(60_000);
      expect(sent).toEqual(["READY=1 STATUS=online, 2 of 2 devices live"]);
    },
  );

  test("that cannot be notified stops nothing: the failure is logged once, and the next try follows", async () => {
    const { clock, sent, warned, now, start } = beside({ NOTIFY_SOCKET, ...MINUTE });
    now.fails = true;
    await using _manager = await start();
    await clock.advance(40_000);
    expect(warned).toEqual(["the service manager cannot be notified"]);
    now.fails = false;
    await clock.advance(20_000);
    expect(sent).toEqual(["WATCHDOG=1"]);
  });
});
