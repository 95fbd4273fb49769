/** The Matter driver as hubs get it: an archive that the agent takes, and a Debian package with the same files where the agent finds them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openPackage } from "@porchlight/agent/drivers/packages/index.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../test/parts/program.ts";
import { runTool } from "./tool.fixture.ts";

const PLACE = "./usr/lib/porchlight-agent/drivers/matter/";

describe("the packages of the Matter driver", () => {
  const folders: string[] = [];
  let archive = "";
  let debianPackage = "";

  beforeAll(async () => {
    [archive = "", debianPackage = ""] = await build("022");
  });
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** @param umask of who builds it */
  async function build(umask: string): Promise<string[]> {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-driver-build-"));
    folders.push(folder);
    const words = [process.execPath, join(ROOT, "scripts", "package-driver.mjs"), "--out", folder];
    const command = `umask ${umask} && exec "$0" "$@"`;
    const { status, stdout, output } = await runTool("sh", ["-c", command, ...words]);
    if (status !== 0) throw new Error(`the driver could not be built:\n${output}`);
    return stdout.trim().split("\n");
  }

  it("are an archive that the agent takes, with the licences of all that is in it", () => {
    const { manifest, files } = openPackage(readFileSync(archive));
    expect(manifest).toMatchObject({ name: "porchlight-driver-matter", shortName: "matter", wants: ["network"] });
    expect([...files.keys()].sort()).toEqual(["LICENSE", "driver.cjs", "package.json", "third-party-notices.txt"]);
    const notices = files.get("third-party-notices.txt")?.toString() ?? "";
    for (const name of ["@matter/main 0.17.9", "@matter/nodejs 0.17.9", "@noble/curves"])
      expect(notices).toContain(name);
  });

  it("have code of which V8 keeps one byte a character: all of it is ASCII", () => {
    const code = openPackage(readFileSync(archive)).files.get("driver.cjs") ?? new Uint8Array();
    expect(code.length).toBeGreaterThan(1_000_000);
    expect(code.some((byte) => byte > 0x7f)).toBe(false);
  });

  it("are a Debian package of any architecture, with the same code where the agent looks", async () => {
    expect(basename(debianPackage)).toMatch(/^porchlight-driver-matter_.*_all\.deb$/);
    const listed = execFileSync("dpkg-deb", ["--contents", debianPackage], { encoding: "utf8" });
    for (const name of ["package.json", "driver.cjs", ".integrity"]) expect(listed).toContain(`${PLACE}${name}`);
    const { status, output } = await runTool("lintian", ["--allow-root", "--fail-on", "warning", debianPackage]);
    const findings = output.replace("running with root privileges is not recommended!\n", "");
    expect({ status, findings }).toEqual({ status: 0, findings: "" });
  });

  it("are the same bytes when they are built by a user with other settings", async () => {
    const again = await build("077");
    for (const [at, path] of [archive, debianPackage].entries())
      expect(readFileSync(again[at] ?? "").equals(readFileSync(path))).toBe(true);
  });
});
