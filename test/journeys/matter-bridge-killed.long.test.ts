/**
 * A bridge that is killed while a controller is pairing with it, at several steps: afterwards it waits for a controller again, or has the one
 * whose pairing was completed. The hub is played, the bridge and the controllers are real.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { ControllerNetwork } from "../parts/matter/controller-network.ts";
import { Controller } from "../parts/matter/controller-program.ts";
import { PlayedHub } from "../parts/matter/played-hub.ts";
import { Program } from "../parts/program.ts";
import { rounds } from "../parts/rounds.ts";

/** The library's storage by then: that a pairing has begun, whom the controller trusts, the controller itself, and the certificate for it. */
const STEPS = ['"breadcrumb":1', '"trustedRootCertificates":[', '"key":"fabrics"', '"nocs":['];
/** It is kept with the end of a pairing. */
const COMPLETED = '"breadcrumb":"{\\"__object__\\":\\"BigInt\\",\\"__value__\\":\\"0\\"}"';

describe("a bridge that is killed while it is paired", () => {
  const stack = new AsyncDisposableStack();
  let network: ControllerNetwork;
  let hub: PlayedHub;

  beforeAll(async () => {
    network = stack.use(new ControllerNetwork());
    hub = stack.use(await PlayedHub.start(network.here, [["Switch"]]));
  });
  afterAll(() => stack.disposeAsync());

  function start(data: string): Program {
    hub.bridge = {};
    const args = ["--data", data, "--hub", hub.url, "--log-level", "warn"];
    return new Program("bridge", "matter-bridge/src/main.ts", args, {}, network.within("hub"));
  }
  const waits = () => eventually("the bridge waits", async () => hub.bridge.manualCode);

  it.each(STEPS.slice(rounds(-1, -STEPS.length)))("and has kept %s, can be paired afterwards", async (step) => {
    await using mine = new AsyncDisposableStack();
    const data = mkdtempSync(join(tmpdir(), "porchlight-bridge-"));
    mine.defer(() => rmSync(data, { recursive: true, force: true }));
    writeFileSync(join(data, "token"), "plt_loc_played\n");
    const bridge = mine.use(start(data));
    const code = await waits();
    const phone = mine.use(await Controller.start(network.within("controller")));
    const pairing = phone.pair(code).catch(() => undefined);
    await eventually("it is so far", async () => keptIn(data).includes(step));
    // From here on the pairing goes no further.
    phone.program.signal("SIGSTOP");
    await bridge.kill();
    const isCompleted = keptIn(data).includes(COMPLETED);
    mine.use(start(data));
    if (isCompleted) {
      phone.program.signal("SIGCONT");
      await eventually("it has the controller", async () => hub.bridge.state === "paired");
      await pairing;
      return;
    }
    await phone.program.kill();
    const again = mine.use(await Controller.start(network.within("controller")));
    await again.pair(await waits());
    expect((await again.device("Device 0"))?.information.reachable).toBe(true);
  });
});

/** What the library has written. */
function keptIn(data: string): string {
  const folder = join(data, "matter", "bridge", "wal");
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("");
}
