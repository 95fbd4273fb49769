/** A soak of a simulated board on a virtual clock: minutes, their figures, and each limit as it holds and as it does not. */
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { memoryLinks } from "../../simulator/links/memory-link.ts";
import { SimulatedNode } from "../../simulator/node/simulated-node.ts";
import { DEFINITION } from "../../simulator/node/test-node.fixture.ts";
import { Mistake } from "../../simulator/read-step.ts";
import { judge, limitsOf, type Soaked, type SoakOptions, type Stretch, soak } from "./soak.ts";
import { reportJson, reportJunit, reportLines } from "./soak-report.ts";
import { Latency } from "./times.ts";

const NINE_MINUTES = 540_000;

interface Run {
  readonly soaked: Soaked;
  readonly stretches: readonly Stretch[];
  readonly troubles: readonly string[];
}

/** @param lose which frames of the hub do not arrive, by their number @param at what happens to the board, by the minute */
async function soakFor(
  options: Partial<SoakOptions>,
  lose: (frame: number) => boolean = () => false,
  at: (minute: number, board: { node: SimulatedNode; unplug(): void; abort(): void }) => void = () => undefined,
): Promise<Run> {
  const clock = new VirtualClock();
  const node = SimulatedNode.start({ clock, random: seededRandom(7), definition: DEFINITION });
  const [near, far] = memoryLinks();
  const interrupted = new AbortController();
  let sent = 0;
  const link: SoakOptions["link"] = {
    listen: (onBytes, onClosed) => far.listen(onBytes, onClosed),
    write: async (bytes) => {
      if (!lose(sent++)) await far.write(bytes);
    },
    close: () => far.close(),
  };
  node.attach(near);
  const [stretches, troubles]: [Stretch[], string[]] = [[], []];
  const soaked = await clock.until(
    soak({
      ...{ clock, random: seededRandom(3), link, jitter: 0, where: "memory", lines: ["read Switch.on", "ping"] },
      ...{ ms: NINE_MINUTES, pause: 1000, interval: 60_000, signal: interrupted.signal },
      onInterval: (stretch) => {
        stretches.push(stretch);
        at(stretches.length, { node, unplug: () => near.close(), abort: () => interrupted.abort() });
      },
      onTrouble: (text) => troubles.push(text),
      ...options,
    }),
  );
  return { soaked, stretches, troubles };
}

const broken = (soaked: Soaked, ...limits: string[]) =>
  judge(soaked, limitsOf(limits)).flatMap(({ limit, holds, measured }) =>
    holds ? [] : [`${limit.words}: ${measured}`],
  );

describe("a soak", () => {
  test("of nine minutes counts every request, in all and for each minute", async () => {
    const { soaked, stretches } = await soakFor({});
    expect(soaked).toMatchObject({ ms: NINE_MINUTES, commands: 540, failed: 0, reboots: 0, broken: [] });
    expect(soaked.kinds.map(({ kind, requests, lost }) => [kind, requests, lost])).toEqual([
      ["READ", 270, 0],
      ["ALL", 540, 0],
      ["PING", 270, 0],
    ]);
    expect(stretches).toHaveLength(9);
    expect(stretches.every(({ kinds }) => kinds.some(({ kind, requests }) => kind === "READ" && requests === 30))).toBe(
      true,
    );
    expect(broken(soaked, "READ p99 under 1ms", "ALL lost under 1", "PING errors under 0.1%")).toEqual([]);
  });

  test("measures what is lost, and holds it against the limits of the team", async () => {
    // After the greeting every twentieth frame is lost, and three in a row once.
    const { soaked } = await soakFor({}, (frame) => frame > 20 && (frame % 20 === 0 || (frame > 301 && frame < 305)));
    expect(soaked.failed).toBe(1);
    expect(soaked.failures).toHaveLength(1);
    const all = soaked.kinds.find(({ kind }) => kind === "ALL");
    expect(all).toMatchObject({ unanswered: 1, errors: 0 });
    expect(all?.lost).toBeGreaterThan(20);
    expect(
      broken(
        soaked,
        "READ median under 1ms",
        "ALL lost under 10%",
        "ALL lost under 1%",
        "ALL p99 under 501ms",
        "ALL p99 under 400ms",
      ),
    ).toEqual([
      `ALL lost under 1%: ${all?.lost} of ${all?.tries} (${((100 * (all?.lost ?? 0)) / (all?.tries ?? 1)).toFixed(3)} %)`,
      "ALL p99 under 400ms: 500.0 ms",
      expect.stringMatching(/^commands failed under 1: 1 of \d+ /),
    ]);
    expect(broken(soaked, "commands failed under 1%")).toEqual([]);
  });

  test("counts errors apart from what is lost", async () => {
    const { soaked, troubles } = await soakFor({ lines: ["write LightLevel.level 101"], ms: 30_000 });
    expect(soaked.kinds[0]).toMatchObject({ kind: "WRITE", requests: 30, errors: 30, lost: 0, unanswered: 0 });
    // Reported twenty times, then only counted.
    expect(troubles).toHaveLength(21);
    expect(broken(soaked, "WRITE errors under 30", "WRITE errors under 31")).toEqual([
      "WRITE errors under 30: 30 of 30 (100.000 %)",
      "commands failed under 1: 30 of 30 (100.000 %)",
    ]);
  });

  test("goes on when the board reboots, and fails for it", async () => {
    const { soaked, troubles } = await soakFor({ ms: 480_000 }, undefined, (minute, { node }) => {
      if (minute === 3 || minute === 5) node.reboot();
    });
    expect(soaked).toMatchObject({ ms: 480_000, reboots: 2 });
    expect(troubles.filter((text) => text.startsWith("the board has rebooted: boot "))).toHaveLength(2);
    expect(broken(soaked).at(-1)).toBe("board reboots under 1: 2");
    expect(broken(soaked, "board reboots under 3", "commands failed under 5")).toEqual([]);
  });

  test("ends when the line goes down or a caller ends it, with what it has so far", async () => {
    const down = await soakFor({}, undefined, (minute, { unplug }) => minute === 5 && unplug());
    expect(down.soaked.ended).toMatchObject({ by: "board", why: expect.stringContaining("the line is down") });
    expect(down.soaked.commands).toBe(301);
    const stopped = await soakFor({}, undefined, (minute, { abort }) => minute === 5 && abort());
    expect(stopped.soaked).toMatchObject({ commands: 300, failed: 0, ended: { by: "signal" } });
  });

  test.each(["repeat 3 ping", "quit", "help", "read Swich.on"])("refuses %s before it begins", async (line) => {
    await expect(soakFor({ lines: [line] })).rejects.toThrow(Mistake);
  });
});

describe("the report", () => {
  test("has the table, each limit and the reason of an early end, for people, programs and build servers", async () => {
    const { soaked } = await soakFor({ ms: 300_000 }, undefined, (minute, { unplug }) => minute === 4 && unplug());
    const report = {
      subject: "board <1>",
      soaked,
      judged: judge(soaked, limitsOf(["READ p99 under 50ms", "WRITE most under 1s"])),
    };
    expect(reportLines(report)).toEqual([
      "board <1>: 4 min, 241 commands, 1 failed; 0 reports, 0 reboots",
      "      requests  tries lost  unanswered  errors  median ms  p90 ms  p99 ms  p99.9 ms  most ms",
      "READ       121           0           1       0        0.0     0.0     0.0       0.0      0.0",
      "ALL        241           0           1       0        0.0     0.0     0.0       0.0      0.0",
      "PING       120           0           0       0        0.0     0.0     0.0       0.0      0.0",
      expect.stringMatching(/^It ended too early: the line is down: .*\.$/),
      "ok    READ p99 under 50ms: 0.0 ms",
      "FAIL  WRITE most under 1s: no WRITE was sent",
      "FAIL  commands failed under 1: 1 of 241 (0.415 %)",
      "ok    board reboots under 1: 0",
      "ok    board broken under 1: 0",
    ]);
    expect(JSON.parse(reportJson(report))).toMatchObject({
      ...{
        subject: "board <1>",
        commands: 241,
        limits: expect.arrayContaining([expect.objectContaining({ holds: false })]),
      },
    });
    const xml = reportJunit(report);
    expect(xml).toContain('tests="6" failures="2" errors="1"');
    expect(xml).toContain(
      '<testcase classname="soak" name="WRITE most under 1s" time="0.000"><failure message="no WRITE was sent"/>',
    );
    expect(xml).toContain('<testsuite name="board &lt;1&gt;"');
  });
});

test.each([
  ["READ p99 under", '"READ p99 under" is no limit: say KIND FIGURE under VALUE, as READ p99 under 50ms'],
  ["RAED p99 under 5ms", 'kind "RAED" is not known: did you mean "READ"?'],
  ["READ p98 under 5ms", 'figure "p98" is not known: did you mean "p90"?'],
  ["READ p99 under 5", '"5" is no time: say 300ms, 5s, 2min or 1h'],
  ["READ lost under 0", '"0" is no limit of a count: say a whole number above 0, or a share as 0.1%'],
  ["board lost under 1", 'figure "lost" is not known; known are reboots, broken'],
])("the limit %j is named as wrong", (line, sentence) => {
  expect(() => limitsOf([line])).toThrow(sentence);
});

test("limits of a file have comments, and the defaults hold where they say nothing", () => {
  expect(
    limitsOf(["# ours", "", "read p99 under 50ms  # of the data sheet", "board reboots under 2"]).map(
      ({ words }) => words,
    ),
  ).toEqual([...["read p99 under 50ms", "board reboots under 2", "commands failed under 1", "board broken under 1"]]);
});

test("a percentile of a million latencies is at most one percent too large, and takes no more room than a thousand", () => {
  const random = seededRandom(1);
  const all = Array.from({ length: 100_000 }, () => Math.exp(8 * random.fraction()));
  const latency = new Latency();
  for (const ms of all) latency.add(ms);
  const sorted = all.toSorted((a, b) => a - b);
  for (const share of [0, 0.5, 0.9, 0.99, 0.999]) {
    const exact = sorted[Math.floor(share * sorted.length)] ?? 0;
    expect((latency.at(share) ?? 0) / exact).toBeGreaterThanOrEqual(0.9999999);
    expect((latency.at(share) ?? 0) / exact).toBeLessThanOrEqual(1.0100001);
  }
  expect(latency.most).toBe(sorted.at(-1));
});
