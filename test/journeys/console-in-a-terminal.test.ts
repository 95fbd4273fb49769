/** The console as a person uses it: in a real pseudo-terminal, with a cloud, a hub and devices that are processes of their own. */
import { statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OWNER } from "../parts/home.ts";
import { LAMP } from "../parts/simulator.ts";
import { Terminal } from "../parts/terminal.ts";
import { ConsoleJourney } from "./console.fixture.ts";

let journey: ConsoleJourney;
let terminal: Terminal;
beforeAll(async () => {
  journey = await ConsoleJourney.start();
  terminal = new Terminal({ env: { ...journey.env, PORCHLIGHT_API_URL: journey.home.api.base } });
});
afterAll(async () => {
  terminal[Symbol.dispose]();
  await journey[Symbol.asyncDispose]();
});

const setHue = (value: number) => journey.home.put(LAMP, "LightColor.hue", value);

describe("a person at a terminal", () => {
  it("logs in: is asked, sees the token and never the password", async () => {
    const ended = terminal.begin("porchlight login");
    await terminal.shows(/\[p\]assword\? \[B\/p\]$/m);
    terminal.type("p");
    terminal.press("Enter");
    await terminal.shows(/E-mail:$/m);
    terminal.type(OWNER.email);
    terminal.press("Enter");
    await terminal.shows(/Password:$/m);
    terminal.type(OWNER.password);
    terminal.press("Enter");
    const { exitStatus, screen } = await ended();
    expect(exitStatus).toBe(0);
    expect(screen).toMatch(/^plt_auth_\w{38}$/m);
    expect(screen).toContain(`Logged in as ${OWNER.email}`);
    expect(screen).not.toContain(OWNER.password);
    expect(statSync(journey.settings).mode & 0o777).toBe(0o600);
  });

  it("lets a hub in after a look at its key", async () => {
    const { code, fingerprint, edgeId } = await journey.unpairedHub();
    const ended = terminal.begin(`porchlight hubs pair ${code} --alias spare`);
    const asked = await terminal.shows(/Add it to Home\? \[y\/N\]$/m);
    for (const fact of [fingerprint, edgeId, "127.0.0.1"]) expect(asked.replace(/\n/g, "")).toContain(fact);
    terminal.type("y");
    terminal.press("Enter");
    await terminal.shows(/Name \[Hub\]:$/m);
    terminal.type("Spare hub");
    terminal.press("Enter");
    const { exitStatus, screen } = await ended();
    expect({ exitStatus, screen }).toMatchObject({
      exitStatus: 0,
      screen: expect.stringContaining("Paired: Spare hub"),
    });
  });

  it("sets the lamp, and shows its former value, its new value, and how long that took", async () => {
    await setHue(40);
    const { exitStatus, screen } = await terminal.run("porchlight set lamp LightColor.hue 120");
    expect(screen).toMatch(/^LightColor\.hue {2}40 → 120° {2}confirmed in \d+ ms$/m);
    expect(exitStatus).toBe(0);
    expect(await journey.home.simulator.value(LAMP, "LightColor.hue")).toBe(120);
    expect((await terminal.run("porchlight get lamp LightColor.hue")).screen).toMatch(
      /^120 {2}as of (now|\d+ s ago)$/m,
    );
  });

  it("watches it through a restart of the cloud, in a window that changes its size", async () => {
    const ended = terminal.begin("porchlight watch lamp");
    await terminal.shows(/● Porch light .*[\s\S]*LightColor\.hue +120°/);
    await setHue(200);
    await terminal.shows(/LightColor\.hue +200°/);
    await journey.home.cloud.stop();
    await terminal.shows(/○ connection lost, next try in/);
    // The last known values stay in sight.
    expect(terminal.screen()).toMatch(/LightColor\.hue +200°/);
    await journey.home.startCloud();
    await terminal.shows(/● connected$/m);
    await terminal.shows(/● Porch light/);
    await journey.home.online();
    await setHue(77);
    await terminal.shows(/LightColor\.hue +77°/);
    terminal.resize(40, 12);
    const small = await terminal.shows(/^Porch light.{0,30}● connected$/m);
    for (const line of small.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
    terminal.resize(80, 24);
    terminal.press("q");
    const { exitStatus, screen } = await ended();
    expect(exitStatus).toBe(0);
    expect(screen).toMatch(/The connection is lost\. Next try in/);
    expect(screen).toMatch(/Connected again\./);
  });

  it("has events brought to a server beside it, signed", async () => {
    const [, secret = ""] =
      /^(whsec_\S+)$/m.exec((await terminal.run("porchlight webhooks listen --print-secret")).screen) ?? [];
    const { url, events } = await journey.receiver(secret);
    const ended = terminal.begin(`porchlight webhooks listen --forward-to ${url}/hook --types property.changed`);
    await terminal.shows(/Events go to/);
    await journey.setUntil(() => events.length > 0);
    expect(events[0]).toMatchObject({ type: "property.changed", data: { item: { property: "hue" } } });
    await terminal.shows(/\d\d:\d\d:\d\d {2}204 {2}\d+ ms +property\.changed +evt_/);
    terminal.press("C-c");
    expect((await ended()).exitStatus).toBe(130);
  });
});

describe("a command at a terminal ends with", () => {
  /** Asks where no server listens, without a log-in there. */
  const elsewhere = (url: string) => `PORCHLIGHT_API_URL=${url} PORCHLIGHT_TOKEN=plt_usr_x porchlight whoami`;

  it("1 when a question was answered with no", async () => {
    const ended = terminal.begin("porchlight devices delete lamp");
    await terminal.shows(/\[y\/N\]$/m);
    terminal.press("Enter");
    expect(await ended()).toMatchObject({ exitStatus: 1, screen: expect.stringContaining("nothing was changed") });
  });

  it.each([
    [2, "of a wrong command", () => "porchlight devices frobnicate"],
    [3, "of what is not there", () => "porchlight get lamp Nonsense"],
    [4, "of a token that is none", () => "PORCHLIGHT_TOKEN=plt_usr_x porchlight whoami"],
    [5, "of a value that is refused", () => "porchlight set lamp LightColor.hue 999"],
    [7, "of a service that is not there", () => elsewhere("http://127.0.0.1:9")],
  ])("%i because %s", async (status, _, line) => {
    const { exitStatus, screen } = await terminal.run(line());
    expect({ exitStatus, screen }).toMatchObject({ exitStatus: status });
    expect(screen).toMatch(/^error: .*\n[\s\S]*^why: {3}.*\n[\s\S]*^try: {3}/m);
  });

  it("8 because the service has too much to do", async () => {
    expect(await terminal.run(elsewhere(await journey.busyService()))).toMatchObject({ exitStatus: 8 });
  });

  it("130 because of Ctrl-C, with the terminal as it was", async () => {
    const ended = terminal.begin("porchlight watch lamp");
    await terminal.shows(/● Porch light/);
    terminal.press("C-c");
    expect((await ended()).exitStatus).toBe(130);
    expect((await terminal.run("stty -a")).screen).toMatch(/\bicanon\b.*\n?.*\biexten\b.*\n?.*\becho\b/);
  });

  it("6 because the hub is offline, with the statement that nothing was sent", async () => {
    await journey.home.agent.stop();
    const { exitStatus, screen } = await terminal.run("porchlight set lamp LightColor.hue 1");
    expect({ exitStatus, screen }).toMatchObject({ exitStatus: 6, screen: expect.stringContaining("Hub Offline") });
    expect(screen.replace(/\n/g, "")).toMatch(/Outcome: *not *sent\./);
    expect((await terminal.run("porchlight get lamp LightColor.hue --refresh")).exitStatus).toBe(6);
  });
});
