/** Streams of the console within a test: watch on the screen and in a pipe, events one a line, and what is reported when the connection is lost. */
import { PassThrough } from "node:stream";
import { seededRandom, settle, VirtualClock } from "@porchlight/shared/kernel";
import { beforeEach, describe, expect, it } from "vitest";
import { changed, device, event, item } from "../live/samples.fixture.ts";
import { runProgram } from "../main/program.ts";
import { run } from "../main/run.fixture.ts";
import { Interrupted } from "../session/failure.ts";
import { StreamingService } from "./streams.fixture.ts";

const ENV = { PORCHLIGHT_TOKEN: "plt_usr_x", PORCHLIGHT_SETTINGS: "/nonexistent/settings.json", TERM: "xterm" };

let service: StreamingService;
let clock: VirtualClock;
beforeEach(() => {
  service = new StreamingService();
  clock = new VirtualClock();
});

function inPipe(...argv: string[]) {
  const end = new AbortController();
  const ran = run(argv, { home: "/nonexistent", env: ENV, fetch: service.fetch, clock, signal: end.signal });
  const interrupted = async () => {
    await settle(20);
    end.abort(new Interrupted());
    return ran;
  };
  return { ran, interrupted };
}

/** A terminal of which a test sees what was written, and presses keys. */
function atTerminal(...argv: string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written) => ({
    ...{ isTTY: true, columns: 80, rows: 10 },
    write: (text: string) => {
      written[name] += text;
    },
  });
  const signal = new AbortController().signal;
  const ended = runProgram(argv, {
    ...{
      stdin,
      stdout: sink("stdout"),
      stderr: sink("stderr"),
      env: ENV,
      home: "/nonexistent",
      machine: "desk",
      clock,
      signal,
    },
    ...{ random: seededRandom(1), fetch: service.fetch },
  });
  return { stdin, written, ended };
}

describe("watch in a pipe", () => {
  it("gives the API's items with --json: first what is, then what changes, each on a line", async () => {
    const { interrupted } = inPipe("watch", "--json");
    await service.opened();
    service.snapshot(4, [item("lamp", 120)]);
    service.tell(changed(item("lamp", 40), 5));
    const { exitStatus, stdout } = await interrupted();
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([item("lamp", 120), item("lamp", 40)]);
    expect(exitStatus).toBe(130);
  });

  it("of one device leaves the others out, and has tabs between its fields", async () => {
    const { interrupted } = inPipe("watch", "lamp");
    await service.opened();
    service.snapshot(4, [item("lamp", 120), item("blind", 7)]);
    expect((await interrupted()).stdout).toBe("2026-11-21 20:00:07Z\tlamp\tLightColor.hue\t120\n");
  });

  it("resumes a lost connection where it broke off, and reports it on stderr only", async () => {
    const { interrupted } = inPipe("watch");
    await service.opened();
    service.snapshot(4, [item("lamp", 120)]);
    await settle(20);
    service.breakOff();
    await settle(20);
    await clock.advance(2000);
    await service.opened();
    service.tell(changed(item("lamp", 40), 5));
    const { stdout, stderr } = await interrupted();
    expect(service.resumed).toEqual([null, "4"]);
    expect(stdout.trim().split("\n")).toHaveLength(2);
    expect(stderr).toMatch(/^The connection is lost\. Next try in .* s\.\nConnected again\.\n$/);
  });
});

describe("watch on a terminal", () => {
  it("draws what is, then only what changes, and `q` gives the terminal back", async () => {
    const { stdin, written, ended } = atTerminal("watch");
    await service.opened();
    service.snapshot(4, [item("lamp", 120)]);
    await clock.until(settle(20));
    await clock.advance(100);
    expect(written.stdout).toContain("120°");
    written.stdout = "";
    service.tell(changed(item("lamp", 40), 5));
    await settle(20);
    await clock.advance(100);
    expect(written.stdout).toContain("40°");
    expect(written.stdout).not.toContain("LightColor.hue");
    stdin.write("q");
    expect(await ended).toBe(0);
    expect(written.stdout).toContain("\u001b[?25h\u001b[?1049l");
    expect(written.stderr).toBe("");
  });

  it("ends with 130 by Ctrl-C, which a terminal in raw mode sends as a character", async () => {
    const { stdin, ended, written } = atTerminal("watch");
    await service.opened();
    stdin.write("\u0003");
    expect(await ended).toBe(130);
    expect(written.stdout).toContain("\u001b[?1049l");
  });

  it("shows a device whose hub has gone: its state is fetched again", async () => {
    const { stdin, written, ended } = atTerminal("watch");
    await service.opened();
    service.snapshot(4, [item("lamp", 120)]);
    await settle(20);
    service.devices = [device("lamp", "unknown")];
    service.tell(event("hub.offline", {}, 5));
    await settle(20);
    for (let step = 0; step < 5; step++) {
      await clock.advance(200);
      await settle(20);
    }
    expect(written.stdout).toContain("◌ lamp");
    stdin.write("q");
    expect(await ended).toBe(0);
  });
});

describe("events tail", () => {
  it("requests the given events, and shows each on a line", async () => {
    const { ran } = inPipe(
      "events",
      "tail",
      "--types",
      "device.*,hub.*",
      "--types",
      "zone.created",
      "--since",
      "3",
      "--limit",
      "2",
    );
    await service.opened();
    service.tell(event("device.online", device("lamp"), 4));
    service.tell(changed(item("lamp", 40), 5));
    expect(await ran).toMatchObject({
      exitStatus: 0,
      stdout: [
        "4\t2026-11-21 20:00:07Z\tdevice.online\tlamp\tlamp\n",
        "5\t2026-11-21 20:00:07Z\tproperty.changed\tlamp\tLightColor.hue\t40\t(device)\n",
      ].join(""),
    });
    expect(service.asked[0]?.searchParams.get("types")).toBe("device.*,hub.*,zone.created");
    expect(service.resumed).toEqual(["3"]);
  });

  it("gives whole events with --json", async () => {
    const { ran } = inPipe("events", "tail", "--limit", "1", "--json");
    await service.opened();
    service.tell(changed(item("lamp", 40), 5));
    expect(JSON.parse((await ran).stdout)).toEqual(changed(item("lamp", 40), 5));
  });
});
