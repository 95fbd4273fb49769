/** `npm start`, as a first-time user has it: its output is true, on both kinds of line, and is the same again. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../parts/api.ts";
import { Program } from "../parts/program.ts";

interface Facts {
  readonly apiUrl: string;
  readonly userToken: string;
  readonly accountToken: string;
  readonly environmentId: string;
  readonly devices: readonly { readonly id: string; readonly alias: string; readonly link: string }[];
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-start-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the demonstration; `seen` gets each line that it prints, and then it is stopped. */
async function demonstration(more: readonly string[], seen: (program: Program) => Promise<void>): Promise<void> {
  const program = new Program("demonstration", "scripts/start.mjs", ["--port", "0", "--data", folder, ...more]);
  try {
    await seen(program);
  } finally {
    expect(await program.stop()).toEqual({ code: 0, signal: null });
  }
}

const factsOf = (program: Program) => program.line((line) => JSON.parse(line) as Facts);
const idsOf = ({ devices }: Facts) => devices.map(({ id }) => id);

/** Both lamps are set under their names. */
async function setBoth({ apiUrl, userToken, environmentId }: Facts, value: number): Promise<void> {
  const api = new Api(apiUrl, userToken);
  for (const alias of ["lamp", "reading-lamp"]) {
    const path = `/api/devices/${environmentId};${alias}/services/LightColor.hue`;
    expect(await api.call("PUT", path, { value })).toMatchObject({ status: 200, body: { value } });
  }
}

describe("npm start", () => {
  let ids: string[];

  it("has a lamp on a serial line and one on the network, each set under its name", async () => {
    await demonstration(["--json"], async (program) => {
      const facts = await factsOf(program);
      const links = new Map(facts.devices.map(({ alias, link }) => [alias, link]));
      expect(links.get("lamp")).toMatch(/^serial /);
      expect(links.get("reading-lamp")).toMatch(/^tcp 127\.0\.0\.1:\d+$/);
      const account = await new Api(facts.apiUrl, facts.accountToken).good("GET", "/api/account");
      expect(account.emailVerified).toBe(true);
      await setBoth(facts, 120);
      ids = idsOf(facts);
    });
  });

  it("has the same devices when the start before was ended before it had saved them", async () => {
    const kept = join(folder, "demo.json");
    const { email, password } = JSON.parse(readFileSync(kept, "utf8"));
    writeFileSync(kept, JSON.stringify({ email, password }));
    await demonstration(["--json"], async (program) => {
      const facts = await factsOf(program);
      expect(idsOf(facts)).toEqual(ids);
      await setBoth(facts, 180);
    });
  });

  it("prints a line that sets the lamp when it is pasted", async () => {
    await demonstration([], async (program) => {
      const line = await program.line((each) => (each.trim().startsWith("curl -s -X PUT") ? each : undefined));
      const answer = JSON.parse(execFileSync("sh", ["-c", line], { encoding: "utf8" }));
      expect(ids).toContain(answer.deviceId);
      expect(answer).toMatchObject({ service: "LightColor", property: "hue", value: 120 });
    });
  });
});
