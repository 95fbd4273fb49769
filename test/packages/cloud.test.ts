/** What is packed for those who run the cloud: its service may do little, and starts what is there. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../parts/program.ts";
import { runTool } from "./tool.fixture.ts";

/** What `systemd-analyze security` gives at most: 0 is a service that can do nothing, 10 one that can do all. */
const EXPOSURE = 2.0;
const FOLDER = join(ROOT, "packaging", "cloud");
const UNIT = join(FOLDER, "porchlight-cloud.service");

it("the cloud's service can do little", async () => {
  const args = ["security", "--offline=true", `--threshold=${EXPOSURE * 10}`, "--no-pager", UNIT];
  const { status, stdout } = await runTool("systemd-analyze", args);
  console.info(stdout.trim().split("\n").at(-1));
  expect(status).toBe(0);
});

it("the cloud's service is one that systemd understands, of a program that is there", async () => {
  expect(await mistakesIn(UNIT)).toBe("");
  const [, words = ""] = /^ExecStart=(.*)$/m.exec(readFileSync(UNIT, "utf8")) ?? [];
  const paths = words.split(" ").filter((word) => word.startsWith("/opt/porchlight/"));
  expect(paths).toHaveLength(2);
  for (const path of paths) expect(existsSync(path.replace("/opt/porchlight", ROOT)), path).toBe(true);
});

it("the cloud's service, copied as a template, is one node a port", async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-units-"));
  try {
    const more = "porchlight-cloud@.service.d";
    cpSync(UNIT, join(folder, "porchlight-cloud@.service"));
    cpSync(join(FOLDER, more), join(folder, more), { recursive: true });
    expect(await mistakesIn(join(folder, "porchlight-cloud@8081.service"))).toBe("");
    expect(readFileSync(join(folder, more, "port.conf"), "utf8")).toMatch(
      /^\[Service\]\nEnvironment=PORCHLIGHT_PORT=%i$/m,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** What systemd finds wrong. On this machine nothing is installed in /opt; all else that it says is a mistake. */
async function mistakesIn(unit: string): Promise<string> {
  const { said } = await runTool("systemd-analyze", ["verify", "--man=no", unit]);
  return said.replace(/^porchlight-cloud\S*\.service: Command \S+ is not executable: No such file or directory\n/m, "");
}
